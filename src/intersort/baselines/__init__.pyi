from .registry import available as available
from .registry import run as run
from .result import BaselineResult as BaselineResult
