internal import LosslessJSON
internal import PlugCore

/// What the strictest client needs to decode an application: if one member is missing or has another type, the plug is not shown
/// at all.
enum ApplicationShape {
    private indirect enum Shape: Sendable {
        /// A text with a valid value of its kind; an empty one is the subject of another finding.
        case text, address, version, moment, bool, integer
        case object([(key: String, isNeeded: Bool, shape: Shape)])
        case list(of: Shape)

        var expectation: String {
            switch self {
            case .text: "a text"
            case .address: "an http or https address"
            case .version: "a version of the form n.n.n"
            case .moment: "a time as in 2026-11-21T00:00:00.000Z"
            case .bool: "true or false"
            case .integer: "a whole number"
            case .object: "a mapping"
            case .list: "a list"
            }
        }
    }

    /// A member that clients cannot decode.
    struct Fault {
        /// Where it is, such as `application.info.dataPreview[0].date`.
        var place: String
        var message: String

        /// The fault as a finding.
        func diagnostic(_ severity: Diagnostic.Severity, at location: Diagnostic.Location? = nil) -> Diagnostic {
            let help = "clients do not list a plug that they cannot decode"
            return Diagnostic(severity, .wrongType, message, at: location, help: help)
        }
    }

    static func faults(_ definition: JSONValue) -> [Fault] {
        var faults: [Fault] = []
        check(definition, application, "application", &faults)
        return faults
    }

    private static func check(_ value: JSONValue, _ shape: Shape, _ place: String, _ faults: inout [Fault]) {
        switch (shape, value) {
        case (.text, .string), (.bool, .bool): break
        case (.address, .string(let text)) where text.text.isEmpty || isAddress(text.text): break
        case (.version, .string(let text)) where isVersion(text.text): break
        case (.moment, .string(let text)) where Timestamp(text.text) != nil: break
        case (.address, .string), (.version, .string), (.moment, .string):
            report(place, "must be \(shape.expectation)", &faults)
        case (.integer, .number(let number)) where number.int64 != nil: break
        case (.list(let element), .array(let elements)):
            for (at, value) in elements.enumerated() { check(value, element, "\(place)[\(at)]", &faults) }
        case (.object(let members), .object(let object)):
            for (key, isNeeded, shape) in members {
                if let value = object[JSONString(key)] {
                    check(value, shape, "\(place).\(key)", &faults)
                } else if isNeeded {
                    report("\(place).\(key)", "is required, and must be \(shape.expectation)", &faults)
                }
            }
        default: report(place, "must be \(shape.expectation), not \(value.typeName)", &faults)
        }
    }

    /// Clients read these as URLs, and drop the plug if one is invalid.
    private static func isAddress(_ text: String) -> Bool {
        let rest = text.hasPrefix("https://") ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
        return rest.first.map { $0 != "/" } ?? false
            && text.unicodeScalars.allSatisfy {
                $0.value > 0x20 && $0.value < 0x7F && !"<>\"{}|\\^`".unicodeScalars.contains($0)
            }
    }

    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 0x30 < 10 } }
    }

    private static func report(_ place: String, _ problem: String, _ faults: inout [Fault]) {
        faults.append(Fault(place: place, message: "'\(place)' \(problem)"))
    }

    // MARK: - The shape

    private static let drawable = Shape.object([
        ("normal", true, .text), ("small", false, .text), ("large", false, .text), ("xlarge", false, .text),
    ])

    private static let preview = Shape.object([
        ("source", true, .text), ("date", true, .object([("iso", true, .text), ("unix", true, .integer)])),
        ("types", true, .list(of: .text)),
        (
            "title", true,
            .object([("text", true, .text), ("subtitle", false, .text), ("action", false, .text)])
        ),
    ])

    private static let info = Shape.object([
        ("version", true, .version), ("published", true, .bool), ("name", true, .text), ("headline", true, .text),
        (
            "updateNotes", false,
            .object([("header", true, .text), ("notes", false, .list(of: .text))])
        ),
        (
            "description", true,
            .object([("text", true, .text), ("markdown", false, .text), ("html", false, .text)])
        ),
        ("termsUrl", true, .address), ("privacyPolicyUrl", false, .address), ("dataUsePurpose", true, .text),
        ("supportContact", true, .text), ("callbackUrl", false, .address), ("primaryColor", false, .text),
        ("rating", false, .object([("score", true, .text), ("points", true, .integer)])),
        ("dataPreview", true, .list(of: preview)),
        (
            "graphics", true,
            .object([("banner", true, drawable), ("logo", true, drawable), ("screenshots", true, .list(of: drawable))])
        ),
    ])

    private static let application = Shape.object([
        ("id", true, .text), ("kind", true, .object([("url", true, .address), ("kind", true, .text)])),
        ("info", true, info),
        (
            "developer", true,
            .object([
                ("id", true, .text), ("name", true, .text), ("url", true, .address), ("country", true, .text),
                ("logo", false, drawable),
            ])
        ),
        (
            "permissions", true,
            .object([
                ("rolesGranted", true, .list(of: .object([("role", true, .text), ("detail", false, .text)])))
            ])
        ),
        (
            "setup", true,
            .object([
                ("kind", true, .text), ("url", false, .address),
                (
                    "onboarding", false,
                    .list(
                        of: .object([
                            ("title", true, .text), ("description", true, .text), ("illustration", true, drawable),
                        ])
                    )
                ),
            ])
        ),
        (
            "status", true,
            .object([
                ("kind", true, .text), ("compatibility", true, .version), ("versionReleaseDate", true, .moment),
                ("recentDataCheckEndpoint", false, .text), ("dataPreviewEndpoint", false, .text),
                ("statusUrl", false, .address), ("expectedStatus", false, .integer),
            ])
        ),
    ])
}
