/// Words in general use by services, which reveal nothing about a person.
enum KnownWords {
    /// Whether the name of a member or a parameter consists of such words.
    static func areAll(of name: String) -> Bool {
        let words = parts(of: name)
        return !words.isEmpty && words.allSatisfy { names.contains($0) || values.contains($0) }
    }

    /// Whether a member holds ids; not those of pages, which requests count with.
    static func isID(_ member: String?) -> Bool {
        guard let parts = member.map({ parts(of: $0) }), let last = parts.last else { return false }
        return ["id", "ids"].contains(last) && !parts.contains("page")
    }

    /// `createdAt`, `created_at`, `created-at`: `created`, `at`
    static func parts(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasSmall = false
        for character in name {
            if !character.isLetter || character.isUppercase && wasSmall {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
            }
            if character.isLetter { word.append(character) }
            wasSmall = character.isLowercase
        }
        return word.isEmpty ? words : words + [word.lowercased()]
    }

    /// Names of members whose values are kinds and states.
    static let kinds: Set<String> = [
        "type", "kind", "state", "status", "object", "visibility", "privacy", "role", "category", "event", "action",
        "format", "unit",
        "units", "currency", "scope", "level", "source", "mode", "method", "sport", "class", "resource", "product",
        "timezone", "precision",
        "album_type", "release_date_precision", "token_type", "resource_type", "event_type",
    ]

    /// Values that are only kinds or states.
    static let values: Set<String> = [
        "true", "false", "yes", "no", "on", "off", "none", "null", "public", "private", "unlisted", "direct", "active",
        "inactive", "open",
        "closed", "pending", "completed", "done", "ok", "error", "success", "failed", "enabled", "disabled", "draft",
        "published",
        "deleted", "archived", "confirmed", "cancelled", "canceled", "tentative", "default", "normal", "all", "any",
        "page", "user",
        "list", "item", "track", "album", "artist", "playlist", "post", "posts", "comment", "issue", "event", "file",
        "image", "video",
        "audio", "text", "string", "number", "object", "array", "boolean", "date", "time", "day", "week", "month",
        "year", "asc", "desc",
        "next", "prev", "previous", "first", "last", "self", "bearer", "json", "xml", "html", "api", "rest", "graphql",
        "free", "premium",
        "read", "write", "owner", "admin", "member", "guest", "manual", "automatic", "unknown", "other", "single",
        "compilation",
    ]

    /// Words of names.
    private static let names: Set<String> = [
        "id", "ids", "uid", "uuid", "guid", "uri", "url", "urls", "href", "link", "links", "name", "names", "full",
        "short", "long",
        "display", "title", "label", "labels", "description", "summary", "content", "contents", "body", "message",
        "messages", "note",
        "notes", "html", "markdown", "data", "items", "results", "result", "records", "record", "entries", "entry",
        "value", "values",
        "key", "keys", "count", "counts", "total", "totals", "size", "limit", "offset", "cursor", "cursors", "page",
        "pages", "paging",
        "pagination", "per", "has", "more", "is", "can", "token", "meta", "metadata", "info", "details", "detail",
        "response", "request",
        "query", "created", "updated", "modified", "deleted", "published", "started", "finished", "ended", "added",
        "changed", "joined",
        "played", "saved", "at", "on", "in", "by", "of", "for", "to", "from", "and", "or", "with", "start", "end",
        "since", "until",
        "before", "after", "timestamp", "ts", "zone", "timezone", "tz", "offset", "duration", "ms", "seconds",
        "minutes", "hours",
        "days", "utc", "local", "version", "revision", "rev", "etag", "hash", "sha", "users", "username", "login",
        "email", "emails",
        "phone", "avatar", "icon", "icons", "images", "photo", "photos", "picture", "pictures", "thumbnail", "media",
        "account", "accounts",
        "author", "authors", "creator", "creators", "owners", "profile", "profiles", "members", "group", "groups",
        "team", "teams",
        "organization", "org", "organisation", "company", "address", "city", "country", "region", "postal", "code",
        "codes", "street",
        "location", "latitude", "longitude", "lat", "lon", "lng", "place", "places", "language", "languages", "lang",
        "locale", "tag",
        "tags", "topic", "topics", "categories", "parent", "parents", "child", "children", "root", "reply", "replies",
        "comments",
        "like", "likes", "liked", "favorite", "favorites", "favourite", "favourites", "star", "stars", "starred",
        "score", "rating",
        "rank", "position", "order", "index", "sort", "direction", "amount", "balance", "price", "currency",
        "transaction", "transactions",
        "payment", "payments", "merchant", "artists", "albums", "tracks", "playlists", "song", "songs", "genre",
        "genres", "channel",
        "channels", "thread", "threads", "issues", "events", "activity", "activities", "calendar", "calendars", "task",
        "tasks",
        "project", "projects", "repo", "repos", "repository", "repositories", "commit", "commits", "branch", "files",
        "folder",
        "attachments", "attachment", "type", "types", "kind", "state", "status", "visibility", "privacy", "role",
        "roles", "permission",
        "permissions", "settings", "options", "errors", "errno", "reason", "warning", "warnings", "height", "width",
        "weight", "distance",
        "speed", "steps", "heart", "rate", "calories", "sleep", "stage", "stages", "min", "max", "avg", "average",
        "sum", "raw", "new",
        "old", "current", "original", "external", "internal", "main", "primary", "secondary", "extra", "custom",
        "related", "ref",
        "refs", "reference", "references", "node", "nodes", "edge", "edges", "cols", "rows", "row", "column", "columns",
        "field",
        "fields", "property", "properties", "attribute", "attributes", "feed", "guid", "pub", "updated", "access",
        "refresh", "expires",
        "expiry", "session", "client", "app", "application", "device", "platform", "browser", "os", "model", "mime",
        "encoding", "charset",
        "bytes", "length", "color", "colour", "background", "background", "website", "homepage", "bio", "about",
        "gender", "birthday",
        "given", "family", "middle", "nickname", "slug", "handle", "alias", "sub", "iss", "aud", "exp", "iat", "schema",
        "context",
        "included", "relationships", "http", "https", "www", "users", "me", "search", "v", "oauth", "auth", "callback",
        "filter",
    ]

    /// Names of elements and attributes of HTML, Atom and RSS, and usual prefixes.
    static let markup: Set<String> = [
        "html", "head", "body", "title", "meta", "link", "script", "style", "h1", "h2", "h3", "h4", "h5", "h6", "p",
        "a", "b", "i", "u", "s",
        "em", "strong", "small", "sub", "sup", "div", "span", "ul", "ol", "li", "dl", "dt", "dd", "br", "hr", "img",
        "table", "thead",
        "tbody", "tr", "td", "th", "pre", "code", "blockquote", "iframe", "form", "input", "button", "label", "figure",
        "figcaption",
        "video", "audio", "source", "section", "article", "nav", "main", "header", "footer", "del", "ins", "href",
        "src", "alt", "class",
        "rel", "target", "lang", "charset", "content", "rss", "channel", "item", "guid", "pubdate", "lastbuilddate",
        "description",
        "category", "enclosure", "generator", "docs", "ttl", "image", "copyright", "managingeditor", "webmaster",
        "ispermalink", "feed",
        "entry", "id", "updated", "published", "summary", "author", "name", "uri", "email", "contributor", "rights",
        "logo", "icon",
        "subtitle", "term", "scheme", "type", "xml", "base", "version", "encoding", "encoded", "creator", "dc", "atom",
        "itunes", "media",
        "duration", "thumbnail", "credit", "player", "hash", "medium", "rdf", "language", "comments", "slash", "wfw",
        "commentrss", "sy",
        "updateperiod", "updatefrequency", "cloud", "domain", "port", "path", "registerprocedure", "protocol", "length",
        "url", "width",
        "height",
    ]

    /// Suffixes of a number.
    static let units: Set<String> = [
        "s", "ms", "us", "ns", "m", "min", "h", "hr", "d", "w", "y", "px", "pt", "em", "kg", "g", "km", "mi", "cm",
        "mm", "ft", "lb", "kb",
        "KB", "MB", "GB", "k", "K", "M", "st", "nd", "rd", "th", "am", "pm", "AM", "PM",
    ]

    /// Codes of languages, currencies and countries that many services use.
    static let codes: Set<String> = [
        "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "pl", "cs", "ru", "uk", "ja", "ko", "zh",
        "ar", "tr", "el", "he",
        "en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "pt-BR", "zh-CN", "ja-JP", "EUR", "USD", "GBP", "CHF", "JPY",
        "SEK", "NOK", "DKK",
        "PLN", "CAD", "AUD", "BRL", "INR", "CNY", "US", "GB", "DE", "FR", "ES", "IT", "NL", "AT", "CH", "SE", "PT",
        "JP", "UTC", "GMT",
    ]

    /// Kinds of files.
    static let mediaTypes: Set<String> = [
        "application/json", "application/pdf", "application/xml", "application/zip", "audio/mpeg", "audio/mp4",
        "image/gif", "image/jpeg",
        "image/png", "image/svg+xml", "image/webp", "text/calendar", "text/csv", "text/html", "text/markdown",
        "text/plain", "text/xml",
        "video/mp4", "video/webm",
    ]
}
