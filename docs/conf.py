"""How Sphinx builds these pages."""

from intersort import __version__

project = "intersort"
author = "the intersort developers"
release = version = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
autosummary_generate = True
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_ivar = True
html_theme = "furo"
html_title = f"intersort {release}"
exclude_patterns = ["_build"]
rst_prolog = r"""
.. |I| replace:: \|I\|
.. |w| replace:: \|w\|
"""
