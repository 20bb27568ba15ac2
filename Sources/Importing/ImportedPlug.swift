package import LosslessJSON

/// A manifest as a plug.
package struct ImportedPlug: Sendable {
    /// The plug's id.
    package var id: String
    /// The text of `plug.yaml`; `nil` where no stream is carried over.
    package var manifest: String?
    /// What is not in it, by lines.
    package var findings: [ImportFinding]
    /// The streams that the manifest has.
    package var streams: [String]
    /// Those of them that are in the plug and read what they read there.
    package var carried: [String]

    /// Whether all of the manifest is in the plug.
    package var isWhole: Bool { findings.allSatisfy(\.isNote) }

    /// What a program reads.
    package var json: JSONValue {
        .members(
            ("plug", .text(id)),
            ("whole", .bool(isWhole)),
            ("streams", .integer(streams.count)),
            ("carried", .integer(carried.count)),
            (
                "todo",
                .array(
                    findings.filter { !$0.isNote }.map { finding in
                        .members(
                            ("line", .integer(finding.line)),
                            ("stream", finding.stream.map(JSONValue.text) ?? .null),
                            ("reason", .text(finding.reason)),
                            ("left_out", .bool(finding.leavesOut))
                        )
                    }
                )
            ),
            (
                "notes",
                .array(
                    findings.filter(\.isNote).map { finding in
                        .members(
                            ("line", .integer(finding.line)),
                            ("stream", finding.stream.map(JSONValue.text) ?? .null),
                            ("reason", .text(finding.reason))
                        )
                    }
                )
            )
        )
    }
}
