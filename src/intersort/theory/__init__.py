"""The paper's theory as functions that a reader can check; it takes plain arrays.

small_cases     every graph and every order of a few variables
optima          the best orders of many small weight matrices at once
faithfulness    does a distance matrix show the paths of a graph?
oracle          distances made up from a graph
linear          population distances of a linear Gaussian system
conditions      when is an edge safe? Lemmas 4 and 5, and their repaired forms
bounds          expected D_top: Theorems 2 to 4 and Lemma 6, and their repaired forms
pen_and_paper   expected D_top over all targets and ties, as fractions
latent          what is left of a graph when variables are hidden

Examples
--------
>>> import intersort
>>> chain = [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
>>> intersort.theory.bounds.repaired_theorem_2(chain, 0.75)
0.125
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(
    __name__,
    submodules=[
        "bounds",
        "conditions",
        "faithfulness",
        "latent",
        "linear",
        "optima",
        "oracle",
        "pen_and_paper",
        "small_cases",
    ],
)
