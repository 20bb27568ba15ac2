package import JQ
package import LosslessJSON
package import PlugCore

/// A text containing `{{ program }}`, parsed and compiled.
package struct Template: Sendable {
    /// A piece of it.
    package enum Part: Sendable {
        /// Literal text.
        case text(String)
        /// A program whose output is inserted.
        case program(Expression)
    }

    /// One `{{ … }}`.
    package struct Expression: Sendable {
        /// The program's text.
        package var source: String
        /// The program; its globals are `Template.globals`.
        package var program: JQProgram
        /// Whether it has a default (`//`), so that `null` is a value rather than an error.
        var hasDefault: Bool
        /// Its location in the manifest.
        package var location: Diagnostic.Location
    }

    /// The text as written.
    package var source: String
    /// The pieces in order.
    package var parts: [Part]
    /// The names that its programs see, in the order of their values.
    package var globals: [String]
    /// Its location in the manifest.
    package var location: Diagnostic.Location
    /// The value of a plain scalar without programs, such as `50` or `true`; `nil` otherwise.
    package var constant: JSONValue?

    /// Whether it is one `{{ … }}` and nothing else: then the value keeps its JSON type.
    package var isWhole: Bool { parts.count == 1 && expressions.count == 1 }
    /// Whether a character is written in it, outside of its programs.
    func hasLiteral(_ character: Character) -> Bool {
        parts.contains { if case .text(let text) = $0 { text.contains(character) } else { false } }
    }

    /// The end at which HTTP cuts spaces off a header with this text; `nil` if there are none.
    var cutInHeader: String? {
        if case .text(let text)? = parts.first, text.hasPrefix(" ") { return "beginning" }
        if case .text(let text)? = parts.last, text.hasSuffix(" ") { return "end" }
        return nil
    }

    /// Whether it has no programs.
    package var isConstant: Bool { expressions.isEmpty }
    /// The programs in order.
    package var expressions: [Expression] {
        parts.compactMap { if case .program(let expression) = $0 { expression } else { nil } }
    }
    /// The roots that its programs use, such as `config` and `since`.
    package var usedGlobals: Set<String> { expressions.reduce(into: []) { $0.formUnion($1.program.usedGlobals) } }
}

/// The values that templates refer to. A `nil` value does not exist at the template's place, and reads as `null`.
package struct TemplateRoots: Sendable {
    /// The configuration, secrets included: an object.
    package var config: JSONValue
    /// The rendered `vars`: an object.
    package var vars: JSONValue
    /// The parent's raw record; also under a name of its own if there is no `lineage`.
    package var parent: JSONValue?
    /// The raw records that a request is made for, outermost first, under the names that `for_each.as` gives.
    package var lineage: (names: [String?], records: [JSONValue]) = ([], [])
    /// The requested page: an object.
    package var page: JSONValue?
    /// The lower bound of the pass, or of its window, in RFC 3339 or unchanged.
    package var since: JSONValue?
    /// The upper bound, likewise; `nil` for types without a clock.
    package var until: JSONValue?
    /// The time at which the run began, in RFC 3339.
    package var now: JSONValue?
    /// The pass: an object with `now`, the time at which it began, even if another run continues it.
    package var pass: JSONValue?

    /// What was kept from the answer with the token: an object.
    package var grant: JSONValue?

    /// The values of names that are known only in a few places, such as `request` and `signature`.
    package var others: [String: JSONValue] = [:]

    /// Called with each program and its output, which may be made from a secret.
    package var observer: (@Sendable (JSONValue, Template.Expression) -> Void)?

    /// Creates values for templates.
    package init(
        config: JSONValue = .object(JSONObject()),
        vars: JSONValue = .object(JSONObject()),
        parent: JSONValue? = nil,
        page: JSONValue? = nil,
        since: JSONValue? = nil,
        now: JSONValue? = nil
    ) {
        self.config = config
        self.vars = vars
        self.parent = parent
        self.page = page
        self.since = since
        self.now = now
    }

    /// The members of the root `page`.
    static let ofPage = ["index", "number", "offset", "cursor", "size"]

    /// The names that every template knows; `for_each.as` adds more.
    package static let names = ["config", "vars", "parent", "page", "since", "until", "now", "pass", "grant"]

    func value(of name: String) -> JSONValue {
        switch name {
        case "config": config
        case "vars": vars
        case "page": page ?? .null
        case "since": since ?? .null
        case "until": until ?? .null
        case "now": now ?? .null
        case "pass": pass ?? .null
        case "grant": grant ?? .null
        case "parent": parent ?? .null
        default:
            others[name]
                ?? (lineage.names.isEmpty
                    ? parent ?? .null : RecordGlobals.value(of: name, lineage.names, lineage.records))
        }
    }
}
