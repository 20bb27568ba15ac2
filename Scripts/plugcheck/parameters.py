"""Judges query parameters by an operation of a description."""
import difflib

from .shapes import resolve


def judge_query(operation, query, mistake, report, free=frozenset()):
    """Judges query parameters, `name -> Sent`, by an operation: they must exist, and values that are known must be allowed."""
    known = {name: one for (place, name), one in operation.parameters.items() if place == "query"}
    for name, sent in query.items():
        if name in free:
            continue
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean '{close[0]}'?" if close else f"; it has {', '.join(sorted(known))}"
            mistake(sent.line, f"{operation.title} has no parameter '{name}' by the description{hint}")
            continue
        report.count("parameters")
        if sent.value is not None and (reason := refusal(known[name], sent.value, operation.document)):
            mistake(sent.line, f"parameter '{name}' of {operation.title} {reason}, not '{sent.value}'")
    for name, one in known.items():
        if one.get("required") and name not in query:
            lines = [sent.line for sent in query.values()] or [1]
            mistake(lines[0], f"{operation.title} requires the parameter '{name}' by the description")


def refusal(parameter, value, document):
    """Why a parameter does not take a value; None if it does."""
    schema, _ = resolve(parameter.get("schema") or next((one.get("schema") for one in parameter.get("content", {}).values()), {}),
                        document)
    for _ in range(5):
        for key in ("anyOf", "oneOf", "allOf"):
            choices = [resolve(one, document)[0] or {} for one in (schema or {}).get(key, [])]
            if choices:
                reasons = [refusal({**parameter, "schema": one}, value, document) for one in choices]
                if key == "allOf":
                    return next((one for one in reasons if one), None)
                return None if None in reasons else reasons[0]
    schema = schema or {}
    kinds = schema.get("type") if isinstance(schema.get("type"), list) else [schema.get("type")]
    if "array" in kinds:
        inner = {**parameter, "schema": schema.get("items", {})}
        return next((reason for one in value.split(",") if (reason := refusal(inner, one.strip(), document))), None)
    allowed = [str(one).lower() if isinstance(one, bool) else str(one) for one in schema.get("enum", [])]
    allowed += [str(schema["const"])] if "const" in schema else []
    if allowed and value not in allowed:
        return f"takes {', '.join(allowed[:20])}{' …' if len(allowed) > 20 else ''}"
    if "boolean" in kinds and len(kinds) == 1 and value not in ("true", "false"):
        return "takes true or false"
    if kinds in (["integer"], ["number"]):
        try:
            number = float(value)
        except ValueError:
            return "takes a number"
        if number > schema.get("maximum", float("inf")):
            return f"is at most {schema['maximum']:g}"
        if number < schema.get("minimum", float("-inf")):
            return f"is at least {schema['minimum']:g}"
    return None
