"""Rivals: other ways from data to an order, one file each, run by name.

`run(name, data, **settings)` runs one, `available()` lists them. Each file's docstring says its
reference, its settings and what it cannot take.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
