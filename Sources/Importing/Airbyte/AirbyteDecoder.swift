/// Decoders as `decode`.
enum AirbyteDecoder {
    /// The value of `decode`; `nil` for JSON.
    static func read(_ decoder: Component?) throws(Unsayable) -> PlugYAML? {
        guard let decoder else { return nil }
        switch decoder.type {
        case "JsonDecoder", nil: return nil
        case "JsonlDecoder": return .text("jsonl")
        case "IterableDecoder": return .text("lines")
        // The extractor says which elements are records.
        case "XmlDecoder": return .text("xml")
        // Compression is detected automatically.
        case "GzipDecoder", "ZipfileDecoder": return try read(try decoder.member("decoder"))
        case "CsvDecoder":
            if let values = try decoder.member("set_values_to_none")?.elements, !values.isEmpty {
                throw Unsayable("'set_values_to_none' has no counterpart", line: decoder.line)
            }
            let delimiter = try decoder.member("delimiter")?.text
            let encoding = try decoder.member("encoding")?.text
            let csv = PlugYAML.members(
                ("separator", delimiter.flatMap { $0 == "," ? nil : .text($0 == "\\t" || $0 == "\t" ? "tab" : $0) }),
                ("encoding", encoding.flatMap { $0.lowercased().hasPrefix("utf") ? nil : .text($0) })
            )
            return csv.isEmpty ? .text("csv") : .members(("csv", csv))
        case let type?: throw Unsayable("the decoder '\(type)' has no counterpart", line: decoder.line)
        }
    }
}
