internal import PlugCore

/// The locations of a stream's keys in the manifest, which begin a run's messages about them.
package struct KeyLocations: Sendable, Equatable {
    private let path: String
    private let own: Diagnostic.Location
    private var locations: [String: Diagnostic.Location] = [:]

    /// The locations of a stream and of all keys in it.
    init(of stream: YAMLEntry, in path: String) {
        self.path = path
        own = stream.keyLocation
        add(stream.value, below: "")
    }

    private mutating func add(_ node: YAMLNode, below prefix: String) {
        for entry in node.mapping ?? [] {
            locations[prefix + entry.key] = entry.keyLocation
            add(entry.value, below: "\(prefix)\(entry.key).")
        }
    }

    /// `plug.yaml:12:5`, for a key such as `page.more`. If it is not written, the location of the mapping that would contain it.
    package subscript(key: String) -> String {
        var key = key[...]
        while !key.isEmpty {
            if let location = locations[String(key)] { return text(location) }
            key = key.lastIndex(of: ".").map { key[..<$0] } ?? ""
        }
        return text(own)
    }

    private func text(_ location: Diagnostic.Location) -> String { "\(path):\(location.line):\(location.column)" }
}
