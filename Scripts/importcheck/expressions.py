"""Expressions of a manifest, evaluated by the engine itself."""
import re

from airbyte_cdk.sources.declarative.interpolation.jinja import JinjaInterpolation

JINJA = JinjaInterpolation()
PIECE = re.compile(r"{{.*?}}|{%.*?%}", re.S)


def value(text, config, **context):
    """What an expression gives; `None` for one that fails or that names something unknown."""
    try:
        return strict(text, config, **context)
    except Exception:  # noqa: BLE001: whatever it is, the expression has no value
        return None


def strict(text, config, **context):
    """What an expression gives, or the engine's error."""
    return JINJA.eval(text, config, **context) if isinstance(text, str) and PIECE.search(text) else text


def truth(value_):
    """What the engine takes for true."""
    return value_ not in (None, False, "", "False", "false", 0, "0", "0.0", [], {}, "[]", "{}", ())


def pattern(text, config, parameters):
    """A regular expression for what a text with expressions may become: settings are known, all else is any text."""
    if not isinstance(text, str):
        return ""
    parts, at = [], 0
    for piece in PIECE.finditer(text):
        parts.append(re.escape(text[at:piece.start()]))
        known = value(piece.group(), config, parameters=parameters)
        parts.append("[^?]*" if known is None else re.escape(str(known)))
        at = piece.end()
    return "".join(parts) + re.escape(text[at:])


def paths(text, root):
    """The members of `root` that an expression names: `root.a.b`, `root['a']` and `root.get('a', …)` in any mixture."""
    found = []
    step = r"""(?:\.get\(\s*["']([^"']+)["'](?:\s*,[^()]*(?:\([^()]*\))?[^()]*)?\)|\[\s*["']([^"']+)["']\s*\]|\.(?!get\()([A-Za-z_]\w*)(?!\w*\())"""
    for whole in re.finditer(rf"\b{root}((?:{step})+)", text or ""):
        steps = [next(part for part in parts if part) for parts in re.findall(step, whole.group(1))]
        if steps and steps not in found:
            found.append(steps)
    for name, owner in re.findall(rf"""["']([^"']+)["']\s+(?:not\s+)?in\s+{root}((?:{step})*)""", text or "", 0) and [
        (match.group(1), match.group(2)) for match in
        re.finditer(rf"""["']([^"']+)["']\s+(?:not\s+)?in\s+{root}((?:{step})*)""", text or "")
    ]:
        steps = [next(part for part in parts if part) for parts in re.findall(step, owner)] + [name]
        if steps not in found:
            found.append(steps)
    return found
