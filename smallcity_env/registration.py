"""Our environments in the registries of Gymnasium and PettingZoo, without importing either."""

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Final


def _in_gymnasium() -> None:
    import gymnasium

    gymnasium.register(
        "SmallCity-v0",
        entry_point="smallcity_env.envs.gymnasium:SmallCity",
        vector_entry_point="smallcity_env.envs.vector:with_copies",
    )


def _in_pettingzoo() -> None:
    import pettingzoo

    pettingzoo.register("aec", "smallcity_v0", entry_point="smallcity_env.smallcity_v0:env")
    pettingzoo.register("parallel", "smallcity_v0", entry_point="smallcity_env.smallcity_v0:parallel_env")


REGISTRIES: Final = {"gymnasium": _in_gymnasium, "pettingzoo": _in_pettingzoo}


class _Registering:
    """Finds a package like everybody else, and registers our environments when it has been imported."""

    def __init__(self, package: str, register: Callable[[], None]) -> None:
        self._package, self._register = package, register

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of the package, with a loader that registers; None for any other module."""
        if fullname != self._package or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        run = spec.loader.exec_module

        def run_and_register(module: ModuleType) -> None:
            run(module)
            self._register()

        spec.loader.exec_module = run_and_register  # type: ignore[method-assign]
        return spec


def register() -> None:
    """Register with what is imported now, and with the others when they are."""
    for package, register_in in REGISTRIES.items():
        if package in sys.modules:
            register_in()
        else:
            sys.meta_path.insert(0, _Registering(package, register_in))
