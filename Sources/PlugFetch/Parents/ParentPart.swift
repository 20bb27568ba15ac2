import Cryptography
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// The name of the part of a child stream's state that belongs to one parent.
enum ParentPart {
    /// A hash of the parent's key, or of the whole record if it has none; the key itself may be personal.
    ///
    /// - Throws: only `PlugError.interrupted`.
    static func name(
        of parent: JSONView,
        in stream: PlugManifest.Stream,
        _ globals: [JSONValue],
        byText: Bool = false
    ) throws(PlugError) -> String {
        let value = parent.value
        var parts: [JSONValue] = []
        for program in stream.key {
            // A key that fails makes the parent a dead letter of its own stream; here the whole record is used instead.
            guard let output = try first(program, value, globals), !output.isNull else {
                parts = []
                break
            }
            parts.append(output)
        }
        if byText, parts.count == 1 { return name(of: parts[0], byText: true) }
        return hash(parts.isEmpty ? value : .array(parts))
    }

    /// The same for a list element: as for a stream's record with this key.
    static func name(of element: JSONValue, byText: Bool = false) -> String {
        guard byText, let number = element.number else { return hash(.array([element])) }
        return hash(.array([.text(number.text)]))
    }

    /// The same for several together: of a combination, or of a group.
    static func name(of parts: [String]) -> String { hash(.array(parts.map(JSONValue.text))) }

    private static func hash(_ identity: JSONValue) -> String {
        var bytes: [UInt8] = []
        identity.write(to: &bytes)
        return Hexadecimal.encoded(SHA256.hash(bytes).prefix(16))
    }

    private static func first(
        _ program: JQProgram,
        _ value: JSONValue,
        _ globals: [JSONValue]
    ) throws(PlugError) -> JSONValue? {
        do throws(JQError) { return try program.run(value, globals: globals).first } catch {
            if let interruption = error.interruption { throw interruption }
            return nil
        }
    }
}
