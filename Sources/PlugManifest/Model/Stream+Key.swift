import JQ
import LosslessJSON

extension Stream {
    /// The stream with a key of some members of its records, where the manifest names none.
    ///
    /// - Parameter members: Their names at the top of a record; none changes nothing.
    package func keyed(by members: [String]) -> Stream {
        guard key.isEmpty, !members.isEmpty else { return self }
        let key = members.compactMap { member -> JQProgram? in
            var path = Array(".[".utf8)
            // Quoted as in JSON, where no backslash stands before a parenthesis: jq would take that for a program.
            JSONText.appendQuoted(member, to: &path)
            return try? JQProgram(String(decoding: path + Array("]".utf8), as: UTF8.self), globals: recordGlobals.names)
        }
        return replacing(key: key)
    }
}
