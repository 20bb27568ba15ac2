internal import LosslessJSON

/// The transformation of a field before a filter compares it (S27). The kind is encoded as a member that is itself called
/// `transformation`.
public struct FilterTransformation: PDAShape {
    /// The four kinds.
    public enum Kind: Sendable, Equatable {
        /// No change.
        case identity
        /// A part of a time stored as ISO 8601, as a number: `hour`, `dow` (0 is Sunday), `month` and the other parts that
        /// PostgreSQL's `date_part` knows, in the PDA's time zone.
        case datetimeExtract(part: String)
        /// The same for a time stored as seconds since 1970.
        case timestampExtract(part: String)
        /// Its words, only for the operator `find`.
        case searchable
    }

    /// The kind.
    public var kind: Kind

    var original = JSONObject()

    /// A transformation.
    public init(_ kind: Kind) { self.kind = kind }

    /// `{"transformation": "identity"}`
    public static let identity = FilterTransformation(.identity)
    /// `{"transformation": "searchable"}`
    public static let searchable = FilterTransformation(.searchable)
    /// `{"transformation": "datetimeExtract", "part": PART}`
    public static func datetimeExtract(_ part: String) -> FilterTransformation {
        FilterTransformation(.datetimeExtract(part: part))
    }
    /// `{"transformation": "timestampExtract", "part": PART}`
    public static func timestampExtract(_ part: String) -> FilterTransformation {
        FilterTransformation(.timestampExtract(part: part))
    }
}

extension FilterTransformation: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        let name: String = try members.required("transformation")
        switch name {
        case "identity": kind = .identity
        case "searchable": kind = .searchable
        case "datetimeExtract": kind = .datetimeExtract(part: try members.required("part"))
        case "timestampExtract": kind = .timestampExtract(part: try members.required("part"))
        default:
            throw .undecodable(
                members.place("transformation"),
                "is the unknown transformation '\(name.prefix(40))'",
                advice: "use identity, datetimeExtract, timestampExtract or searchable"
            )
        }
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        let (name, part): (String, String?) =
            switch kind {
            case .identity: ("identity", nil)
            case .searchable: ("searchable", nil)
            case .datetimeExtract(let part): ("datetimeExtract", part)
            case .timestampExtract(let part): ("timestampExtract", part)
            }
        members.set("transformation", name)
        members.set("part", part)
    }
}
