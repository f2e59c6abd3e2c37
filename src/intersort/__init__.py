"""From interventions to a causal order, causes before effects.

The folders are the steps, in the order in which data pass through them::

    data, readers    rows labelled with the variable that was intervened on
    effects          how far does do(i) move j?
    scores           what is an order worth?
    orders           which order is best, and how surely?
    plots, writers, cli      what a person sees
    simulate, theory, metrics   how we know that it works

Every public name is loaded on first use, so that importing the package costs nothing.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
