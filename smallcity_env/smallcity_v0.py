"""Small City for PettingZoo: `from smallcity_env import smallcity_v0; env = smallcity_v0.env()`."""

from pettingzoo import register

from .envs.pettingzoo import env, raw_env

__all__ = ["env", "raw_env"]

register("aec", "smallcity_v0", entry_point="smallcity_env.envs.pettingzoo:env")
