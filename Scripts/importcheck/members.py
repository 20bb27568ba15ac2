"""Members of nested mappings, by the names that lead to them."""


def put(made, path, value):
    for step in path[:-1]:
        inner = made.get(step)
        if not isinstance(inner, dict):
            inner = made[step] = {}
        made = inner
    if path:
        made[path[-1]] = value


def at(made, path):
    for step in path:
        made = made.get(step) if isinstance(made, dict) else None
    return made
