"""Simulated screens whose causes are known: graphs, mechanisms, interventions, measurement.

`random_graph` draws a graph, `random_population` puts mechanisms on it, and the population that
it returns is measured by `sample` (rows of one kind) or `screen` (controls and interventions).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
