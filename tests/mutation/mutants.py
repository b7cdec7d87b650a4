"""The mutants of a source file: one changed operator, constant or statement each."""

import ast
import copy
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.Pow: ast.Mult,
}  # fmt: skip
BOOLEAN = {ast.And: ast.Or, ast.Or: ast.And}
SWAPPED = {"min": "max", "max": "min"}

Function = ast.FunctionDef | ast.AsyncFunctionDef
Change = Callable[[ast.AST], object]


@dataclass(frozen=True)
class Mutant:
    """One change in one function."""

    file: str
    function: str  # qualified name
    line: int
    change: str  # what was, and what is
    number: int  # among the changes of the function
    source: str  # a hash of the function: another text, another mutant

    @property
    def key(self) -> str:
        """Identifies the mutant in a file of results."""
        return f"{self.file}:{self.function}:{self.source}:{self.number}"

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.function}: {self.change}"


def mutants(path: Path, root: Path) -> list[Mutant]:
    """All mutants of a file, in order of the source."""
    found = []
    for name, function in _functions(ast.parse(path.read_text(encoding="utf-8"))):
        source = hashlib.sha256(ast.dump(function).encode()).hexdigest()[:8]
        for number, (line, change, _) in enumerate(_changes(function)):
            file = path.relative_to(root).as_posix()
            found.append(Mutant(file, name, line, change, number, source))
    return found


def mutated(path: Path, mutant: Mutant) -> CodeType:
    """The code of the mutant's function with its change."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    function = dict(_functions(tree))[mutant.function]
    list(_changes(function))[mutant.number][2](function)
    code = compile(ast.fix_missing_locations(tree), str(path), "exec")
    for part in mutant.function.split("."):
        code = next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == part)
    return code


def _functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """The functions of a module and the methods of its classes, by qualified name."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{f.name}", f) for f in node.body if isinstance(f, Function))


def _changes(function: Function) -> Iterator[tuple[int, str, Change]]:
    """Line, description and effect of each change; the effect is applied to the function itself."""
    nodes = [node for statement in function.body for node in ast.walk(statement)]
    for node in nodes:
        for after in _variants(node):
            yield node.lineno, _described(node, after), _replacement(node, after)


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one change, for every change that applies to it."""
    match node:
        case ast.Compare():
            for i, operator in enumerate(node.ops):
                after = copy.deepcopy(node)
                after.ops[i] = COMPARE[type(operator)]()
                yield after
        case ast.BinOp() | ast.AugAssign() if type(node.op) in ARITHMETIC:
            yield _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.BoolOp():
            yield _with(node, op=BOOLEAN[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield copy.deepcopy(node.operand)
        case ast.Constant(value=bool()):
            yield _with(node, value=not node.value)
        case ast.Constant(value=int() | float()):
            yield _with(node, value=node.value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in SWAPPED:
            yield _with(node, func=ast.Name(SWAPPED[name], ast.Load()))
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield ast.Pass()


def _with(node: ast.AST, **changed: object) -> ast.AST:
    """A copy with some fields changed."""
    after = copy.deepcopy(node)
    for name, value in changed.items():
        setattr(after, name, value)
    return after


def _described(before: ast.AST, after: ast.AST) -> str:
    first, second = (" ".join(ast.unparse(node).split()) for node in (before, after))
    return f"{first} -> {second}"


def _replacement(node: ast.AST, after: ast.AST) -> Change:
    """The change as an effect on the function that holds the node."""

    class Replace(ast.NodeTransformer):
        def visit(self, here: ast.AST) -> ast.AST:
            return after if here is node else self.generic_visit(here)

    return Replace().visit
