internal import LosslessJSON

/// Paths as jq writes them.
package enum PathNotation {
    /// A step behind another one: `.name`, or `["a name"]`.
    package static func step(_ name: String) -> String {
        let isWord =
            name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F }
            && name.utf8.first.map { !(0x30...0x39 ~= $0) } ?? false
        return isWord ? ".\(name)" : "[\(JSONValue.text(name).compactText)]"
    }

    /// The members at a path of the input: `.a["b-c"]`; `.` for none.
    package static func path(_ names: some Sequence<String>) -> String {
        let text = names.map(step).joined()
        return text.hasPrefix(".") ? text : "." + text
    }
}
