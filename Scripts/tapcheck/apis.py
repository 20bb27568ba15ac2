"""The APIs that the taps read, in their own shapes: paths, parameters, paging, filters, members.

Record number N of each changed N minutes after the beginning, so that an API with more records is one whose person did more.
"""
import datetime
import json
import re

from .server import Missing

BEGIN = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
APIS = {}


def api(host):
    def register(function):
        APIS[host] = function
        return function
    return register


def at(number, form="%Y-%m-%dT%H:%M:%SZ"):
    return (BEGIN + datetime.timedelta(minutes=number)).strftime(form)


def since(text):
    """The first record that is not older than a time."""
    if not text:
        return 1
    time = datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00").replace(" 00:00", "+00:00"))
    if time.tzinfo is None:
        time = time.replace(tzinfo=datetime.timezone.utc)
    return max(1, -(-(time - BEGIN) // datetime.timedelta(minutes=1)) if time > BEGIN else 1)


def numbered(request, numbers, size, page="page", first=1):
    """A page by its number, and whether there is another one."""
    start = (request.number(page, first) - first) * size
    return numbers[start:start + size], start + size < len(numbers)


def at_offset(request, numbers, size, offset):
    start = request.number(offset, 0)
    return numbers[start:start + size]


@api("api.github.com")
def github(request, count):
    limits = {"X-RateLimit-Limit": 5000, "X-RateLimit-Remaining": 4999, "X-RateLimit-Used": 1, "X-RateLimit-Reset": 2_000_000_000}
    repository = {
        "id": 77, "name": "notes", "full_name": "ada/notes", "owner": {"login": "ada", "id": 1}, "updated_at": at(count),
        "created_at": at(0), "pushed_at": at(count), "has_issues": True, "private": False,
    }
    if request.path == "/rate_limit":
        return {"resources": {}}, limits
    if request.path == "/graphql":
        return {"data": {"repo0": {"nameWithOwner": "ada/notes", "databaseId": 77}, "rateLimit": {"cost": 1}}}, limits
    if request.path == "/repos/ada/notes":
        return repository, limits
    if request.path == "/repos/ada/notes/issues":
        # Cursors: the number after which a page begins.
        first = max(since(request.query.get("since")), request.number("after", 0) + 1)
        page = list(range(first, count + 1))[:10]
        more = page and page[-1] < count
        return [
            {"id": 9_000_000_000_000_000_000 + number, "number": number, "title": f"Issue {number}", "body": "…", "type": None,
             "state": "open", "comments": 0, "created_at": at(number), "updated_at": at(number), "user": {"login": "ada", "id": 1},
             "labels": [], "assignees": []}
            for number in page
        ], {**limits, **(request.link(after=page[-1]) if more else {})}
    raise Missing


@api("gitlab.com")
def gitlab(request, count):
    if request.path == "/api/v4/user":
        return {"id": 1, "username": "ada"}
    if request.path == "/api/v4/projects/5":
        return {"id": 5, "name": "notes", "path_with_namespace": "ada/notes", "updated_at": at(count), "created_at": at(0)}
    if request.path == "/api/v4/projects/5/issues":
        numbers = list(range(since(request.query.get("updated_since")), count + 1))
        page, more = numbered(request, numbers, 10)
        return [
            {"id": 1000 + number, "iid": number, "project_id": 5, "title": f"Issue {number}", "state": "opened",
             "created_at": at(number), "updated_at": at(number)}
            for number in page
        ], {"X-Next-Page": request.number("page", 1) + 1} if more else {}
    raise Missing


@api("ada.atlassian.net")
def jira(request, count):
    if request.path == "/rest/api/2/serverInfo":
        return {"deploymentType": "Cloud"}
    if request.path == "/rest/api/2/myself":
        return {"timeZone": "UTC"}
    if request.path == "/rest/api/2/search/jql":
        asked = re.search(r"updated >= '([^']*)'", request.query["jql"])
        numbers = list(range(since(asked and asked[1]), count + 1))
        start, size = int(request.query.get("nextPageToken", 0)), min(request.number("maxResults", 10), 10)
        page = numbers[start:start + size]
        answer = {"issues": [
            {"id": str(10_000 + number), "key": f"NOTES-{number}", "changelog": {"histories": []}, "transitions": [],
             "fields": {"summary": f"Issue {number}", "created": at(number), "updated": at(number, "%Y-%m-%dT%H:%M:%S.000+0000"),
                        "comment": {"comments": []}}}
            for number in page
        ]}
        if start + size < len(numbers):
            answer["nextPageToken"] = str(start + size)
        return {**answer, "isLast": start + size >= len(numbers)}
    raise Missing


@api("canvas.instructure.com")
def canvas(request, count):
    if request.path == "/api/v1/accounts/1/courses":
        page, more = numbered(request, list(range(1, count + 1)), 10)
        return [
            {"id": number, "name": f"Course {number}", "account_id": 1, "uuid": f"u{number}", "course_code": f"C{number}",
             "created_at": at(number), "start_at": at(number), "end_at": None}
            for number in page
        ], request.link(page=request.number("page", 1) + 1) if more else {}
    if section := re.fullmatch(r"/api/v1/courses/(\d+)/sections", request.path):
        number = int(section[1])
        return [{"id": 100_000 + number, "course_id": number, "name": f"Section of {number}", "created_at": at(number)}]
    raise Missing


@api("cloud.getdbt.com")
def dbt(request, count):
    if request.path == "/api/v2/accounts/3/projects":
        page = at_offset(request, list(range(1, count + 1)), request.number("limit", 10), "offset")
        return {"status": {"code": 200, "is_success": True}, "data": [
            {"id": number, "account_id": 3, "name": f"Project {number}", "created_at": at(number), "updated_at": at(number),
             "state": 1}
            for number in page
        ]}
    raise Missing


@api("erp.frappe.cloud")
def erpnext(request, count):
    if request.path == "/api/resource/DocType":
        return {"data": [{"name": "Sales Order", "istable": 0}, {"name": "Note", "istable": 0}]}
    if request.path in ("/api/resource/Sales%20Order", "/api/resource/Note"):
        first = 1
        for member, sign, value in json.loads(request.query.get("filters", "[]")):
            first = since(value)
        numbers = at_offset(request, list(range(first, count + 1)), request.number("limit_page_length", 10), "limit_start")
        kind = "SO" if "Sales" in request.path else "NOTE"
        # Amounts have more digits than a binary fraction keeps.
        return {"data": [
            {"name": f"{kind}-{number:05}", "modified": at(number, "%Y-%m-%d %H:%M:%S.000001"), "total": number + 0.1, "status": "Draft"}
            for number in numbers
        ]}
    raise Missing


@api("dev.to")
def forem(request, count):
    if request.path == "/api/articles":
        page, _ = numbered(request, list(range(1, count + 1)), 10)
        return [
            {"id": number, "type_of": "article", "title": f"Article {number}", "comments_count": number % 2, "tag_list": ["swift"],
             "published_at": at(number), "published_timestamp": at(number), "user": {"name": "Ada", "username": "ada"}}
            for number in page
        ]
    if request.path == "/api/comments":
        article = request.number("a_id", 0)
        comments = [{"id_code": f"c{article}", "type_of": "comment", "created_at": at(article), "body_html": "<p>Yes</p>",
                     "children": [], "user": {"name": "Bob", "username": "bob"}}]
        return comments if article % 2 else []
    raise Missing


@api("ada.freshservice.com")
def freshservice(request, count):
    kind = request.path.rsplit("/", 1)[-1]
    if request.path in ("/api/v2/departments", "/api/v2/requesters"):
        page, more = numbered(request, list(range(1, count + 1)), 10)
        return {kind: [
            {"id": 40_000 + number, "name": f"Department {number}", "first_name": "Ada", "last_name": f"L. {number}",
             "created_at": at(number), "updated_at": at(number)}
            for number in page
        ]}, request.link(page=request.number("page", 1) + 1) if more else {}
    raise Missing


@api("community.openproject.org")
def openproject(request, count):
    if request.path == "/api/v3/projects":
        numbers = list(range(1, count + 1))
        page, more = numbered(request, numbers, 10, "offset")
        links = {"nextByOffset": {"href": "…"}} if more else {}
        return {"total": count, "pageSize": 10, "offset": request.number("offset", 1), "_links": links, "_embedded": {"elements": [
            {"_type": "Project", "id": number, "identifier": f"p{number}", "name": f"Project {number}", "active": True,
             "createdAt": at(number), "updatedAt": at(number), "_links": {"parent": {"href": "/api/v3/projects/1", "title": "One"}}}
            for number in page
        ]}}
    raise Missing


@api("api.adanos.org")
def adanos(request, count):
    if request.path == "/reddit/stocks/v1/trending":
        page = at_offset(request, list(range(1, count + 1)), request.number("limit", 10), "offset")
        return [
            {"ticker": f"T{number}", "company_name": f"Company {number}", "buzz_score": number + 0.25, "mentions": number}
            for number in page
        ]
    raise Missing
