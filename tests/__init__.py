"""The tests."""

import os

os.environ["LANGUAGE"] = "en"  # wherever they run, texts are compared with the English ones
