"""TRL's GRPO on the position tasks, through its environment interface: a tool call is an answer.

    python recipes/trl_grpo.py                   two steps with a tiny untrained model: do the parts fit?
    train("Qwen/Qwen3-0.6B", steps=200)          for real, with a GPU

The tiny model never calls the tool, so its rewards are 0. TRL is in no extra: `pip install trl`.
"""

import tempfile
from importlib import resources
from typing import Any

from smallcity_agents.llm.tasks import Episode, Task

TASK = "Play well: call the tool `answer` with your answer to the question."
END, PAD = "<|im_end|>", "<|endoftext|>"


# glue: begin
class SmallCity:
    """One task of the environment, as TRL wants it: `reset`, tools, `get_reward`."""

    def reset(self, kind: str = "position", seed: int = 0, **_: Any) -> str:
        """Begin a task; its text goes to the model."""
        self._episode, self._reward = Episode(Task(kind, seed=seed)), 0.0
        return self._episode.text

    def answer(self, reply: str) -> str:
        """Answer the open question.

        Args:
            reply: A number or a name of the list of answers, or several with semicolons.

        Returns:
            What is new, and the next question.
        """
        told = self._episode.reply(reply)
        self._reward = self._reward if told.reward is None else told.reward
        return told.text

    def get_reward(self) -> float:
        """The reward of the task, 0 to 1."""
        return self._reward


# glue: end


def train(model: Any, steps: int, tokenizer: Any = None, folder: str = "runs/trl", **options: Any) -> Any:
    """Train a model, by name or made, for some steps; returns the trainer."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    prompt = [{"role": "user", "content": TASK}]
    rows = Dataset.from_list([{"prompt": prompt, "kind": "position", "seed": n} for n in range(300)])
    usual: dict[str, Any] = {"per_device_train_batch_size": 4, "num_generations": 4, "report_to": []}
    usual |= {"save_strategy": "no"}
    config = GRPOConfig(output_dir=folder, max_steps=steps, **usual | options)
    trainer = GRPOTrainer(
        model, args=config, train_dataset=rows, processing_class=tokenizer, environment_factory=SmallCity
    )
    trainer.train()
    return trainer


def tiny() -> tuple[Any, Any]:
    """A model of some thousand untrained weights, and a tokenizer of bytes with Qwen's chat template."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE(vocab={letter: n for n, letter in enumerate(letters)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token=END, pad_token=PAD)
    template = resources.files("trl") / "chat_templates" / "qwen3.jinja"
    tokenizer.chat_template = template.read_text()
    size = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "head_dim": 8}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1}
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), **size, **heads)), tokenizer


def check() -> bool:
    """Whether two steps with the tiny model run."""
    model, tokenizer = tiny()
    with tempfile.TemporaryDirectory() as folder:
        trainer = train(model, 2, tokenizer, folder, max_completion_length=8, use_cpu=True, bf16=False)
    return bool(trainer.state.global_step == 2)


if __name__ == "__main__":
    print("two steps:", "done" if check() else "failed")
