"""The rule on readings made up so that each of its parts is reached."""

import numpy as np

from intersort.baselines.neural.augmented_lagrangian import FIRST_MU, AugmentedLagrangian


def read(rule: AugmentedLagrangian, loss, h=0.5, penalty=0.0, acyclic=0.0):
    """One reading of every problem."""
    n = len(rule.mu)
    full = [np.broadcast_to(np.asarray(x, dtype=np.float64), n).copy() for x in (loss, h, penalty)]
    return rule.look(*full, np.broadcast_to(np.asarray(acyclic, dtype=np.float64), n))


def changes(losses, **how):
    """At which of a sequence of readings of one problem the multipliers changed."""
    rule = AugmentedLagrangian(1)
    return [k for k, loss in enumerate(losses) if read(rule, loss, **how)[1].any()]


def test_it_looks_at_the_third_reading_and_at_every_one_from_the_fifth():
    assert changes(np.linspace(1, 1.001, 8)) == [2, 4, 5, 6, 7]


def test_it_presses_where_the_loss_hardly_falls_and_not_where_it_falls_fast():
    slow, fast = 0.9e-4 * 50, 1.1e-4 * 50  # 1e-4 a step, over the 100 steps between two readings
    assert changes(5 - slow * np.arange(3)) == [2]
    assert changes(5 - fast * np.arange(3)) == []


def test_it_waits_where_three_readings_are_not_in_one_line():
    assert changes([1.0, 1.001, 1.0]) == []
    assert changes([1.0, 0.999, 1.0]) == []
    assert changes([1.0, 1.0, 1.0]) == []
    assert changes([1.0, 0.9999, 0.9998]) == [2]


def test_the_penalty_counts_in_the_loss():
    rule = AugmentedLagrangian(1)
    changed = [read(rule, 1.0, penalty=p)[1].any() for p in (0.3, 0.2999, 0.2998)]
    assert changed == [False, False, True]


def test_gamma_grows_by_mu_times_h_and_mu_doubles_where_h_has_not_fallen():
    rule = AugmentedLagrangian(1)
    steps = []
    for k, h in enumerate([0.5, 0.5, 0.5, 0.5, 0.46, 0.40, 0.37]):
        changed = read(rule, 1 + 0.001 * k, h=h)[1].any()
        if changed:
            steps.append((k, rule.gamma[0] / FIRST_MU, rule.mu[0] / FIRST_MU))
    expected = [
        (2, 0.5, 1),  # there was nothing to compare h with
        (4, 0.96, 2),  # 0.46 is above 0.9 · 0.5
        (5, 0.96 + 2 * 0.40, 2),  # 0.40 is below 0.9 · 0.46
        (6, 1.76 + 2 * 0.37, 4),  # 0.37 is above 0.9 · 0.40
    ]
    np.testing.assert_allclose(steps, expected)


def test_pressing_harder_is_no_progress_of_the_loss():
    """What the new multipliers add is added to the reading they were changed at too."""
    rule = AugmentedLagrangian(1)
    rule.mu[:] = 2.0
    assert [read(rule, 1 + 0.001 * k)[1].any() for k in range(3)] == [False, False, True]
    # γ is 1 and h a half; μ stands, as there was no h before.
    assert rule.gamma.tolist() == [1.0]
    np.testing.assert_allclose(rule.readings[-1], 1.002 + 1.0 * 0.5 + 0.5 * 2.0 * 0.25)


def test_done_is_a_graph_without_cycles_whose_violation_is_next_to_nothing():
    rule = AugmentedLagrangian(4)
    done, changed = read(rule, 1.0, h=[1e-8, 1.1e-8, 1e-9, 0.0], acyclic=[1, 1, 0, 1])
    assert done.tolist() == [True, False, False, True]
    assert not changed.any()


def test_what_is_done_is_not_pressed():
    rule = AugmentedLagrangian(2)
    for k in range(3):
        _, changed = read(rule, 1 + 0.001 * k, h=[0.5, 0.0], acyclic=[0, 1])
    assert changed.tolist() == [True, False]
    assert rule.gamma.tolist() == [0.5 * FIRST_MU, 0]


def test_a_problem_goes_on_as_before_when_others_leave():
    losses = [[1.0, 5.0], [1.001, 4.0], [1.002, 3.0], [1.003, 2.0], [1.004, 1.9999]]
    together, after = AugmentedLagrangian(2), AugmentedLagrangian(2)
    for k, loss in enumerate(losses):
        if k == 3:
            after.keep(np.array([1]))
        read(together, loss)
        changed = read(after, loss if k < 3 else loss[1:])[1]
    assert changed.shape == (1,)
    assert after.gamma == together.gamma[1]
    assert after.mu == together.mu[1]
    np.testing.assert_array_equal(after.readings[-1], together.readings[-1][1:])
