"""What OpenEnv serves: the environment of the package smallcity_agents."""

from smallcity_agents.llm.openenv_env import app as app
from smallcity_agents.llm.openenv_env import main

if __name__ == "__main__":
    main()
