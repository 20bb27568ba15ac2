package import LosslessJSON
package import PlugCore

/// The application as a PDA's directory lists it: the bare Application object, built from a manifest.
package enum ApplicationDefinition {
    /// The members of `application.info` that a PDA shows to its owner.
    static let shownToOwners = ["name", "headline", "description", "termsUrl", "dataUsePurpose", "supportContact"]

    /// Whether a finding of `build` says that a member is missing.
    package static func isAboutAMissingMember(_ finding: Diagnostic) -> Bool { finding.code == .applicationMissing }

    /// Builds the definition, with every member that the strictest client needs to decode it.
    ///
    /// Anything in the manifest's `application` is kept. Anything missing is derived from the rest of the manifest. It never sets
    /// what follows from the plug itself: id, version, kind and the one role, which allows writing to its namespace.
    ///
    /// - Parameters:
    ///   - manifest: The plug.
    ///   - base: Where a host serves the plug, such as `https://plugs.example.org`: set-up and status check lead there. `nil` if
    ///     none does; the PDA then does both itself (`Internal`).
    /// - Returns: The definition, and a finding for each thing that an owner would miss (`application-missing`, warning)
    ///   or that clients cannot decode (`wrong-type`, error).
    package static func build(
        _ manifest: Manifest,
        base: String?
    ) -> (definition: JSONValue, diagnostics: [Diagnostic]) {
        let form = ApplicationForm(manifest, base: base)
        let definition = form.definition
        return (definition, form.missing + ApplicationShape.faults(definition).map { $0.diagnostic(.error) })
    }
}

/// Assembles a definition. Members are in the order of the published examples, followed by the manifest's others.
struct ApplicationForm {
    private let manifest: Manifest
    private let given: JSONValue
    private let home: String?

    init(_ manifest: Manifest, base: String?) {
        self.manifest = manifest
        given = manifest.application ?? .null
        home = base.map { base in
            var base = Substring(base)
            while base.hasSuffix("/") { base.removeLast() }
            return "\(base)/plugs/\(manifest.id)"
        }
    }

    var definition: JSONValue {
        .object([
            "id": .text(manifest.id),
            "kind": .object(["url": url, "kind": .text("DataPlug")]),
            "info": info,
            "developer": developer,
            "permissions": permissions,
            "setup": setup,
            "status": status,
        ])
    }

    /// Members that an owner would like to read and that are missing.
    var missing: [Diagnostic] {
        var missing = ApplicationDefinition.shownToOwners.filter { given["info"]?[$0] == nil }.map {
            "application.info.\($0)"
        }
        if manifest.released == nil { missing.append("released") }
        if given["developer"]?["country"] == nil { missing.append("application.developer.country") }
        // An empty text is not a valid address to clients that read one.
        if url == .text("") { missing.append("application.developer.url") }
        return missing.map {
            Diagnostic(.warning, .applicationMissing, "'\($0)' is missing", help: "a PDA shows it to its owner")
        }
    }

    private var name: JSONValue { given["info"]?["name"] ?? .text(manifest.id) }

    /// The plug's page: its host's, or else the one in the manifest.
    private var url: JSONValue {
        home.map { .text($0) } ?? given["kind"]?["url"] ?? given["developer"]?["url"] ?? .text("")
    }

    private var info: JSONValue {
        let headline = given["info"]?["headline"] ?? name
        return merged(
            [
                "version": .text(manifest.version),
                "published": .bool(false),
                "name": name,
                "headline": headline,
                "description": .object(["text": headline]),
                "termsUrl": url,
                "dataUsePurpose": .text("The plug only writes to the PDA; it reads nothing from it."),
                "supportContact": .text(""),
                "dataPreview": .array([]),
                "graphics": graphics,
            ],
            with: given["info"],
            keeping: ["version", "graphics"]
        )
    }

    private var graphics: JSONValue {
        let nothing = JSONValue.object(["normal": .text("")])
        return merged(
            ["banner": nothing, "logo": nothing, "screenshots": .array([])],
            with: given["info"]?["graphics"]
        )
    }

    private var developer: JSONValue {
        merged(
            ["id": .text(manifest.id), "name": name, "url": url, "country": .text("")],
            with: given["developer"]
        )
    }

    /// A plug may write to its namespace and do nothing else.
    private var permissions: JSONValue {
        let role = JSONValue.object(["role": .text("namespacewrite"), "detail": .text(manifest.namespace)])
        return .object(["rolesGranted": .array([role])])
    }

    private var setup: JSONValue {
        guard let home else { return merged(["kind": .text("Internal")], with: given["setup"], keeping: ["kind"]) }
        return merged(
            ["url": .text("\(home)/setup"), "validRedirectUris": .array([]), "kind": .text("External")],
            with: given["setup"],
            keeping: ["url", "kind"]
        )
    }

    private var status: JSONValue {
        // The oldest compatible version: by the manifest's versioning rule, the first with the same major number.
        let major = manifest.version.prefix { $0 != "." }
        var form: JSONObject = ["compatibility": .text("\(major).0.0")]
        if let home {
            form["statusUrl"] = .text("\(home)/api/status")
            form["expectedStatus"] = .integer(200)
        }
        // The PDA compares it exactly: `namespace/endpoint`, without a leading slash.
        if let path = manifest.streams.lazy.compactMap(\.path).first {
            form["recentDataCheckEndpoint"] = .text(path.description)
        }
        form["versionReleaseDate"] = .text("\(manifest.released ?? "1970-01-01")T00:00:00.000Z")
        form["kind"] = .text(home == nil ? "Internal" : "External")
        return merged(form, with: given["status"], keeping: ["kind", "statusUrl", "expectedStatus"])
    }

    /// A form completed with the manifest's members, except for the keys that it may not set.
    private func merged(_ form: JSONObject, with given: JSONValue?, keeping kept: Set<String> = []) -> JSONValue {
        guard let given else { return .object(form) }
        guard let members = given.object?.members else { return given }
        var merged = form
        for (key, value) in members where !kept.contains(key.text) { merged[key] = value }
        return .object(merged)
    }
}
