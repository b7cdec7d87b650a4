"""The commands of `smallcity` that need agents: a file each, with `options` and `run`."""
