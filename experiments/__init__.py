"""What the paper reports, run again beside every rival; one file a figure, one store, one command.

    python -m experiments list            what there is
    python -m experiments run figure2     fill the store; what is there already is not run again
    python -m experiments report          write the pages and figures in docs/paper from the store
    python -m experiments export figure2  write its datasets as plain files
    python -m experiments status          how many rows there are
    python -m experiments forget figure2 --where method=ease      drop rows, to make them again
    python -m experiments again figure2   make some committed rows again: the same answers?

Follow one number: `catalogue` names an experiment's file; its `tasks` lists what to run, a `Task`
each; `runner` hands them to `workers`; the file's `solve` draws the data (`screens`), runs a rival
(`rivals`) and returns a row; `store` keeps it, `committed` is its form in git; the file's `report`
turns the rows into tables and figures (`statistics`, `figures`, `pages`).
"""
