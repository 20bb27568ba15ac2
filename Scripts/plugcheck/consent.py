"""Judges addresses and scopes of OAuth 2 by a description."""
from .manifest import Mapping


def check(manifest, description, report, file):
    flows = description.flows()
    known = {scope for flow in flows for scope in flow.get("scopes", {})}
    for given in oauth2(manifest.root.get("auth")):
        scopes = given.get("scopes", [])
        if not known and scopes:
            report.skip(file, given.line("scopes"), "scopes are not described")
        for scope in scopes if known else []:
            report.count("scopes")
            if "{{" not in scope and scope not in known:
                report.mistake(file, scope.line, f"the description has no scope '{scope}'; it has {', '.join(sorted(known))}")
        for key, described in (("authorize", "authorizationUrl"), ("token", "tokenUrl")):
            urls = {flow[described] for flow in flows if described in flow}
            url = given[key].get("url") if isinstance(given.get(key), Mapping) else None
            if url and urls and url not in urls:
                report.mistake(file, url.line, f"the description has {key} at {', '.join(sorted(urls))}, not at {url}")


def oauth2(auth):
    """Each `oauth2` below `auth`."""
    if isinstance(auth, Mapping):
        if isinstance(auth.get("oauth2"), Mapping):
            yield auth["oauth2"]
        for one in auth.values():
            if isinstance(one, Mapping) and one is not auth.get("oauth2"):
                yield from oauth2(one)
