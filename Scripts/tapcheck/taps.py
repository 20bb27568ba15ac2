"""The taps: what is installed, how it is configured, and which keys its streams must have."""
import dataclasses
import typing

START = "2026-01-01T00:00:00Z"


@dataclasses.dataclass
class Tap:
    package: str
    version: str
    host: str
    config: dict
    # Its streams that are read, each with the key of record N, or nothing where there is none.
    streams: dict[str, typing.Callable[[int], str | None]]
    program: str = ""
    # How its endpoint and its key are called, where discover cannot know.
    keys: dict[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self):
        self.program = self.program or self.package


TAPS = [
    Tap("meltanolabs-tap-github", "1.30.1", "api.github.com",
        {"auth_token": "t", "repositories": ["ada/notes"], "start_date": START, "rate_limit_buffer": 100},
        {"issues": lambda n: str(9_000_000_000_000_000_000 + n)}, program="tap-github"),
    Tap("tap-gitlab", "1.0.1", "gitlab.com",
        {"private_token": "t", "start_date": START, "groups": "", "projects": "5"},
        {"projects": lambda n: "5" if n == 1 else None, "issues": lambda n: f"{1000 + n},5"}),
    Tap("tap-jira", "2.6.0", "ada.atlassian.net",
        {"base_url": "https://ada.atlassian.net", "username": "ada", "password": "p", "start_date": START, "user_agent": "plughost"},
        {"issues": lambda n: str(10_000 + n)}),
    Tap("tap-canvas", "0.0.27", "canvas.instructure.com",
        {"api_key": "k", "base_url": "https://canvas.instructure.com/api/v1"},
        {"courses": str, "sections": lambda n: str(100_000 + n)}),
    Tap("tap-dbt", "0.17.0", "cloud.getdbt.com", {"api_key": "k", "account_ids": ["3"], "page_size": 10}, {"projects": str}),
    Tap("tap-erpnext", "0.2.12", "erp.frappe.cloud",
        {"api_url": "https://erp.frappe.cloud", "api_key": "k", "api_secret": "s", "start_date": START, "limit_page_length": 10},
        {"Sales Order": lambda n: f"SO-{n:05}", "Note": lambda n: f"NOTE-{n:05}"}),
    Tap("tap-forem", "0.5.4", "dev.to", {"api_key": "k", "tag": "swift", "api_url": "https://dev.to/api"},
        {"articles": str, "comments": lambda n: f"c{n}" if n % 2 else None}),
    Tap("tap-freshservice", "0.12.0", "ada.freshservice.com",
        {"api_key": "k", "url_base": "https://ada.freshservice.com/api/v2", "request_delay_seconds": 0},
        {"departments": lambda n: str(40_000 + n), "requesters": lambda n: str(40_000 + n)}),
    Tap("tap-openproject", "0.3.0", "community.openproject.org",
        {"api_key": "k", "base_url": "https://community.openproject.org/api/v3", "start_date": START}, {"projects": str}),
    Tap("tap-adanos", "0.1.0", "api.adanos.org",
        {"api_key": "k", "symbols": ["T1"], "start_date": "2026-01-01", "end_date": "2026-01-31", "page_size": 10},
        {"trending_assets": lambda n: f"T{n},reddit,2026-01-01,2026-01-31"}),
]
