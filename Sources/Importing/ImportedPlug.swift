package import LosslessJSON

/// A manifest imported as a plug.
package struct ImportedPlug: Sendable {
    /// The plug's id.
    package var id: String
    /// The text of `plug.yaml`; `nil` if no stream is carried over.
    package var manifest: String?
    /// What is not in the plug, by line.
    package var findings: [ImportFinding]
    /// The streams in the manifest.
    package var streams: [String]
    /// Those of them that are in the plug and read the same data as in Airbyte.
    package var carried: [String]

    /// Whether the whole manifest is in the plug.
    package var isWhole: Bool { findings.allSatisfy(\.isNote) }

    /// The result as JSON, for programs.
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
