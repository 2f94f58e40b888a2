"""Loops over the lines of an array along one axis, as Numba's users write them: its functions reduce everything."""


def over_lines(n_axes, axis, body, made="np.empty_like(x)"):
    """Numba's text for `y`, made so, whose line `y_line` the statements `body` find from the line `v` of x.

    The first of the other axes is shared among threads.  A `y` without that axis has an element for each line.
    """
    axis %= n_axes
    others = [place for place in range(n_axes) if place != axis]
    lines = [f"y = {made}"]
    for depth, place in enumerate(others):
        lines.append(f"{'    ' * depth}for i{place} in {'prange' if depth == 0 else 'range'}(x.shape[{place}]):")
    line = ", ".join(":" if place == axis else f"i{place}" for place in range(n_axes))
    result = ", ".join(f"i{place}" for place in others) if "np.empty(" in made else line
    statements = [f"v = x[{line}]", *body.replace("y_line", f"y[{result}]").splitlines()]
    return "\n".join([*lines, *("    " * len(others) + statement for statement in statements), "return y"])
