"""PPO in one file, in the style of CleanRL, with action masks: one seat against random answers.

    python recipes/cleanrl_ppo.py

`SmallCityVec` is a Gymnasium vector environment; the masks come with its infos.
"""

from dataclasses import dataclass
from typing import Any

import gymnasium
import torch
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from torch import nn
from torch.distributions import Categorical

from measure import Policy, report
from smallcity_env.envs.vector import SmallCityVec


@dataclass
class Args:
    """Hyper-parameters."""

    num_envs: int = 64
    num_steps: int = 64  # of each game in a rollout
    learning_rate: float = 1e-3
    gae_lambda: float = 0.95
    update_epochs: int = 4
    minibatches: int = 8
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5


class Agent(nn.Module):
    """Two layers, and a head each for the policy and the value."""

    def __init__(self, inputs: int, actions: int, hidden: int = 128) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.actor, self.critic = nn.Linear(hidden, actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, seen: torch.Tensor, legal: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """The distribution over legal actions, and the value."""
        hidden = self.trunk(seen)
        logits = self.actor(hidden).masked_fill(~legal, -1e9)
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)


class PPO:
    """The games, the agent and the loop."""

    def __init__(self, args: Args, seed: int) -> None:
        torch.manual_seed(seed)
        self.args = args
        self.games = SmallCityVec(
            args.num_envs,
            players=2,
            opponents="random",
            reward="score",
            autoreset_mode=AutoresetMode.SAME_STEP,
        )
        space, actions = self.games.single_observation_space, self.games.single_action_space
        self.agent = Agent(space.shape[0], int(actions.n))
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=args.learning_rate, eps=1e-5)
        seen, infos = self.games.reset(seed=seed)
        self.seen, self.legal = _tensors(seen, infos)

    def learn(self, steps: int) -> None:
        """Alternate rollouts and updates."""
        for _ in range(max(steps // (self.args.num_envs * self.args.num_steps), 1)):
            self.update(*self.rollout())

    @torch.no_grad()
    def rollout(self) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
        """Play `num_steps` in every game; return them, and the values of the states that follow."""
        steps = []
        for _ in range(self.args.num_steps):
            policy, value = self.agent(self.seen, self.legal)
            action = policy.sample()
            step = {"seen": self.seen, "legal": self.legal, "action": action, "value": value}
            seen, reward, over, _, infos = self.games.step(action.numpy())
            step |= {"log_prob": policy.log_prob(action), "over": torch.tensor(over)}
            steps.append(step | {"reward": torch.tensor(reward, dtype=torch.float32)})
            self.seen, self.legal = _tensors(seen, infos)
        last = self.agent(self.seen, self.legal)[1]
        return {name: torch.stack([step[name] for step in steps]) for name in steps[0]}, last

    def update(self, rollout: dict[str, torch.Tensor], last: torch.Tensor) -> None:
        """Train the agent on the rollout."""
        rollout["advantage"] = self.advantages(rollout, last)
        rollout["target"] = rollout["advantage"] + rollout["value"]
        flat = {name: values.flatten(0, 1) for name, values in rollout.items()}
        for _ in range(self.args.update_epochs):
            for rows in torch.randperm(len(flat["action"])).chunk(self.args.minibatches):
                self.optimizer.zero_grad()
                self.loss({name: values[rows] for name, values in flat.items()}).backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), self.args.max_grad_norm)
                self.optimizer.step()

    def advantages(self, rollout: dict[str, torch.Tensor], last: torch.Tensor) -> torch.Tensor:
        """Generalised advantage estimates, without discount: a game is one episode."""
        advantages, running = torch.zeros_like(rollout["reward"]), torch.zeros_like(last)
        for t in reversed(range(self.args.num_steps)):
            not_done = (~rollout["over"][t]).float()
            td_error = rollout["reward"][t] + not_done * last - rollout["value"][t]
            running = td_error + not_done * self.args.gae_lambda * running
            advantages[t], last = running, rollout["value"][t]
        return advantages

    def loss(self, part: dict[str, torch.Tensor]) -> torch.Tensor:
        """The clipped objective, the value loss and the entropy bonus."""
        policy, value = self.agent(part["seen"], part["legal"])
        ratio = (policy.log_prob(part["action"]) - part["log_prob"]).exp()
        gain = (part["advantage"] - part["advantage"].mean()) / (part["advantage"].std() + 1e-8)
        clipped = ratio.clamp(1 - self.args.clip_coef, 1 + self.args.clip_coef)
        policy_loss = -torch.min(gain * ratio, gain * clipped).mean()
        value_loss = 0.5 * (value - part["target"]).pow(2).mean()
        loss: torch.Tensor = (
            policy_loss + self.args.vf_coef * value_loss - self.args.ent_coef * policy.entropy().mean()
        )
        return loss


def _tensors(seen: Any, infos: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    """Copies: the environment writes into the same arrays at every step."""
    return torch.tensor(seen), torch.tensor(infos["action_mask"], dtype=torch.bool)


def check() -> str:
    """Gymnasium's checker: CleanRL has none of its own."""
    check_env(gymnasium.make("SmallCity-v0", players=2).unwrapped, skip_render_check=True)
    return "Gymnasium's `check_env`"


def train(steps: int, seed: int = 0) -> Policy:
    """A policy that answers many games at once."""
    ppo = PPO(Args(), seed)
    ppo.learn(steps)

    @torch.no_grad()
    def answer(seen: Any, legal: Any) -> Any:
        return ppo.agent(torch.as_tensor(seen), torch.as_tensor(legal))[0].sample().numpy()

    return answer


if __name__ == "__main__":
    report(train, steps=100_000)
