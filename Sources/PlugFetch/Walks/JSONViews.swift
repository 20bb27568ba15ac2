import LosslessJSON
import PlugCore

/// Combines values of several documents into one.
enum JSONViews {
    /// The values as one list in one buffer. Each was read within the limits, so that one more level holds them all.
    static func together(_ values: [JSONView]) throws(PlugError) -> [JSONView] {
        let buffer = JSONBuffer(capacity: 64 << 10)
        append(values, to: buffer)
        return try elements(buffer, levels: 1)
    }

    /// The values in lists of `size`, the last of which may be shorter.
    static func inGroups(of size: Int, _ values: [JSONView]) throws(PlugError) -> [JSONView] {
        let buffer = JSONBuffer(capacity: 64 << 10)
        append("[", to: buffer)
        for start in stride(from: 0, to: values.count, by: size) {
            if start > 0 { append(",", to: buffer) }
            append(values[start..<min(start + size, values.count)], to: buffer)
        }
        append("]", to: buffer)
        return try elements(buffer, levels: 2)
    }

    private static func elements(_ buffer: JSONBuffer, levels: Int) throws(PlugError) -> [JSONView] {
        let limits = JSONLimits(depth: JSONLimits().depth + levels, bytes: .max)
        do throws(JSONError) { return try JSONDocument(buffer, limits: limits).root.elements ?? [] } catch {
            throw error.kind == .noMemory
                ? .memoryShort("several pages at once")
                : PlugError(.unexpected, "records of several pages cannot be read as one: \(error.reason)")
        }
    }

    private static func append(_ values: some Collection<JSONView>, to buffer: JSONBuffer) {
        append("[", to: buffer)
        for (at, value) in values.enumerated() {
            if at > 0 { append(",", to: buffer) }
            value.document.withCursor { buffer.append(UnsafeRawBufferPointer($0.slice(value.node))) }
        }
        append("]", to: buffer)
    }

    private static func append(_ syntax: Unicode.Scalar, to buffer: JSONBuffer) {
        withUnsafeBytes(of: UInt8(ascii: syntax)) { buffer.append($0) }
    }
}
