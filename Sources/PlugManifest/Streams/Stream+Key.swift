import JQ
import LosslessJSON

extension Stream {
    /// The stream with a key made of some members of its records, if the manifest names none.
    ///
    /// - Parameter members: Their names at the top level of a record; none changes nothing.
    package func keyed(by members: [String]) -> Stream {
        guard key.isEmpty, !members.isEmpty else { return self }
        let key = members.compactMap { member -> JQProgram? in
            var path = Array(".[".utf8)
            // Quoted as in JSON, where no backslash precedes a parenthesis: jq would read that as an interpolation.
            JSONText.appendQuoted(member, to: &path)
            return try? JQProgram(String(decoding: path + Array("]".utf8), as: UTF8.self), globals: recordGlobals.names)
        }
        return replacing(key: key)
    }
}
