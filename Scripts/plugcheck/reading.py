"""Follows a jq program over what a description says, and tells which members it names that are not there."""
import difflib

from . import jq
from .shapes import FREE, NULL, List, Object, Scalar, Unknown

# Functions that give their input, or parts of it, back.
SAME = {"select", "arrays", "strings", "numbers", "booleans", "scalars", "values", "iterables", "sort", "sort_by", "unique",
        "unique_by", "reverse", "del"}
ELEMENT = {"max", "min", "max_by", "min_by", "first", "last"}
# Functions that give texts, numbers, true or false.
SIMPLE = {"tostring", "join", "ltrimstr", "rtrimstr", "sub", "gsub", "tojson", "sha256", "ascii_downcase", "ascii_upcase", "tonumber",
          "length", "not", "type", "range", "floor", "round", "contains", "inside", "has", "any", "all", "startswith", "endswith",
          "test", "split", "index", "keys", "isempty", "time", "plus", "minus", "todate", "fromdate", "now", "explode", "implode"}
STEPS = 200_000    # of one program


class Reading:
    """One program over one input. `missing` has (offset, text) of what is not described, `unknown` (offset, text) of what
    cannot be checked; `checked` counts members that were found."""

    def __init__(self, program, globals_=None):
        self.globals = globals_ or {}
        self.missing, self.unknown, self.checked, self.steps = {}, {}, set(), 0
        self.tree = jq.parse(program)

    def run(self, value):
        return self.go(self.tree, value, {})

    def go(self, tree, value, scope):
        self.steps += 1
        if self.steps > STEPS:
            raise jq.Unreadable(f"the program takes more than {STEPS} steps to follow")
        return distinct(getattr(self, "do_" + tree[0])(tree, value, scope))

    def do_identity(self, tree, value, scope):
        return value

    def do_null(self, tree, value, scope):
        return [NULL]

    def do_text(self, tree, value, scope):
        return [Scalar("text")]

    def do_number(self, tree, value, scope):
        return [Scalar("a number")]

    def do_true(self, tree, value, scope):
        return [Scalar("true or false")]

    do_false = do_true

    def do_interpolation(self, tree, value, scope):
        for part in tree[2]:
            self.go(part, value, scope)
        return [Scalar("text")]

    def do_pipe(self, tree, value, scope):
        return self.go(tree[3], self.go(tree[2], value, scope), scope)

    def do_comma(self, tree, value, scope):
        return self.go(tree[2], value, scope) + self.go(tree[3], value, scope)

    def do_try(self, tree, value, scope):
        return self.go(tree[2], value, {**scope, "?": True})

    def do_array(self, tree, value, scope):
        return [List(self.go(tree[2], value, scope) if tree[2] else [])]

    def do_object(self, tree, value, scope):
        made = {}
        for key, entry in tree[2]:
            self.go(key, value, scope)
            made[key[2] if key[0] == "text" else "?"] = self.go(entry, value, scope)
        return [Unknown("its name is computed")] if "?" in made else [Object(made=made, name="the object that the program makes")]

    def do_if(self, tree, value, scope):
        found = []
        for test, branch in tree[2]:
            self.go(test, value, scope)
            found += self.go(branch, value, scope)
        return found + self.go(tree[3], value, scope)

    def do_bind(self, tree, value, scope):
        source, names = self.go(tree[2], value, scope), tree[3]
        bound = {name: source if len(names) == 1 else [FREE] for name in names}
        return self.go(tree[4], value, {**scope, **bound})

    def do_reduce(self, tree, value, scope):
        source = self.go(tree[2], value, scope)
        inner = {**scope, **{name: source if len(tree[3]) == 1 else [FREE] for name in tree[3]}}
        self.go(tree[4][0], value, scope)
        for step in tree[4][1:]:
            self.go(step, [FREE], inner)
        return [Unknown(f"what '{tree[0]}' gives is not followed")]

    do_foreach = do_reduce

    def do_def(self, tree, value, scope):
        return self.go(tree[5], value, {**scope, f"{tree[2]}/{len(tree[3])}": (tree[3], tree[4], scope)})

    def do_binary(self, tree, value, scope):
        left, right = self.go(tree[3], value, scope), self.go(tree[4], value, scope)
        if tree[2] == "//":
            return [one for one in left if one != NULL] + right
        # Two objects are one that has the members of both.
        return left + right if tree[2] in ("+", "*", "-") else [Scalar("a number or a truth")]

    def do_variable(self, tree, value, scope):
        return scope.get(tree[2], self.globals.get(tree[2][1:], [FREE]))

    def do_each(self, tree, value, scope):
        return self.elements(self.go(tree[2], value, scope))

    def do_slice(self, tree, value, scope):
        self.go(tree[3], value, scope)
        return self.go(tree[2], value, scope)

    def do_member(self, tree, value, scope):
        return self.look(self.go(tree[2], value, scope), tree[3], tree[1], scope)

    def do_index(self, tree, value, scope):
        target = self.go(tree[2], value, scope)
        self.go(tree[3], value, scope)
        if tree[3][0] == "text":
            return self.look(target, tree[3][2], tree[3][1], scope)
        return self.elements(target) + [NULL]

    def elements(self, value):
        found = []
        for one in value:
            if isinstance(one, List):
                found += one.elements()
            elif isinstance(one, Object):
                found += one.values()
            elif isinstance(one, Unknown):
                found.append(one)
        return found

    def look(self, value, name, at, scope):
        objects = [one for one in value if isinstance(one, Object)]
        found, has = [], False
        for one in objects:
            member = one.member(name)
            has |= member is not None
            found += member or []
        unknown = [one for one in value if isinstance(one, Unknown)]
        if has:
            self.checked.add(at)
        elif unknown:
            if reasons := [one.reason for one in unknown if one.reason]:
                self.unknown.setdefault(at, f"'.{name}' cannot be checked: {reasons[0]}")
        elif objects:
            names = sorted({known for one in objects for known in one.names()})
            close = difflib.get_close_matches(name, names, 1)
            hint = f"; did you mean '{close[0]}'?" if close else f"; it has {', '.join(names[:12])}" if names else ""
            self.missing.setdefault(at, f"{objects[0].title} has no member '{name}' by the description{hint}")
        elif not scope.get("?") and any(not isinstance(one, type(NULL)) for one in value):
            kind = next((one.kind for one in value if isinstance(one, Scalar)), "a list")
            self.missing.setdefault(at, f"'.{name}' is read from {kind} by the description")
        # A reason is told once, where the unknown begins.
        return found + [FREE for _ in unknown[:1]] + [NULL]

    def do_call(self, tree, value, scope):
        _, at, name, arguments = tree
        defined = scope.get(f"{name}/{len(arguments)}")
        if defined:
            parameters, body, outer = defined
            if parameters == "closure":
                return self.go(body, value, outer)
            inner = {f"{one.removeprefix('$')}/0": ("closure", argument, scope) for one, argument in zip(parameters, arguments)}
            inner |= {one: self.go(argument, value, scope) for one, argument in zip(parameters, arguments) if one[0] == "$"}
            return self.go(body, value, {**outer, **inner})
        if not arguments and name in self.globals:
            return self.globals[name]
        return self.builtin(name, arguments, value, scope)

    def builtin(self, name, arguments, value, scope):
        if name == "empty":
            return []
        if name == "objects":
            return [one for one in value if isinstance(one, (Object, Unknown))]
        if name == "map_values" and any(isinstance(one, Object) for one in value):
            return [Object(made={known: self.go(arguments[0], one.member(known), scope) for known in one.names()}, name=one.title)
                    for one in value if isinstance(one, Object)]
        if name in ("map", "map_values"):
            return [List(self.go(arguments[0], self.elements(value), scope))]
        if name in ("to_entries", "with_entries"):
            entry = [Object(made={"key": [Scalar("text")], "value": self.elements(value)}, name="an entry")]
            if arguments:
                self.go(arguments[0], entry, scope)
            return [Unknown("its name is computed")] if arguments else [List(entry)]
        if name in ("first", "last", "limit") and arguments:
            return [self.go(argument, value, scope) for argument in arguments][-1]
        by_element = name.endswith("_by") or name in ("any", "all", "add", "IN") and arguments
        for argument in arguments:
            self.go(argument, self.elements(value) if by_element else value, scope)
        if name in SAME:
            return value
        if name in ELEMENT:
            return self.elements(value) + [NULL]
        if name == "add":
            return self.elements(value)
        if name in SIMPLE:
            return [Scalar("a simple value")]
        # The names of what these give stand in the program itself.
        return [FREE] if name in ("capture", "config", "env") else [Unknown(f"what '{name}' gives is not followed")]


def distinct(value):
    """The same alternative once: programs add many."""
    seen, kept = set(), []
    for one in value:
        key = one if isinstance(one, (Scalar, Unknown, type(NULL))) else id(one)
        if isinstance(one, Object) and one.made is None:
            key = tuple(id(part) for part in one.parts)
        if key not in seen:
            seen.add(key)
            kept.append(one)
    return kept[:200]
