"""Small City for PettingZoo, Gymnasium and stable-baselines3: environments, rewards, opponents."""
