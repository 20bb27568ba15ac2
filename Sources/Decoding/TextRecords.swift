package import LosslessJSON

extension RecordFormat {
    /// The records of a whole text in UTF-8, for short ones in memory.
    ///
    /// - Parameter now: Seconds since 1970, for formats with a window around it.
    /// - Throws: `DecodingFault`, even if only a single record is broken.
    package func records(in text: [UInt8], now: Int64) throws(DecodingFault) -> [JSONValue] {
        let limits = DecodingLimits()
        let block = BlockBuilder(limits)
        var decoder = try decoder(limits, now: now)
        var records: [JSONValue] = []
        func take() throws(DecodingFault) {
            let sealed = try block.seal()
            if let broken = sealed.broken.first { throw DecodingFault(.malformed, broken.reason) }
            records += sealed.records.map(\.value)
        }
        var outcome: Result<Void, DecodingFault> = .success(())
        text.withUnsafeBytes { bytes in
            do throws(DecodingFault) { try decoder.take(bytes, into: block) } catch { outcome = .failure(error) }
        }
        try outcome.get()
        while decoder.isBehind {
            try take()
            try decoder.take(UnsafeRawBufferPointer(start: nil, count: 0), into: block)
        }
        try decoder.finish(into: block)
        while decoder.isBehind {
            try take()
            try decoder.finish(into: block)
        }
        try take()
        return records
    }
}
