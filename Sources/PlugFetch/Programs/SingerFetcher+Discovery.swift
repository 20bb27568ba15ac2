package import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import Programs
internal import Singer

// What a program reports about itself.
extension SingerFetcher {
    /// Asks the program for its catalogue (`--discover`).
    ///
    /// - Throws: `PlugError` if the program fails, or returns none.
    package func discover() async throws -> JSONValue {
        var limits = settings.limits.whole
        limits.output = min(limits.output, 64 << 20)
        let (bytes, end) = try await answer(to: "--discover", limits)
        let name = settings.command[0]
        let failure = ProgramFailure(name, memoryLimit: limits.memory, redactor)
        if var error = failure.error(
            of: end,
            "nothing was written; check whether the program's configuration is complete"
        ) {
            // There is no observer for warnings here.
            if let refusal = failure.refusal(of: end) { error.message += "; \(refusal.message)" }
            throw error
        }
        guard let value = Self.catalogue(in: bytes) else {
            let start = failure.shown(String(decoding: bytes.prefix(4_000), as: UTF8.self), 100)
            throw PlugError(
                .programMessage,
                "'\(DisplayText.escaped(name)) --discover' has written no catalogue, but "
                    + (bytes.isEmpty ? "nothing" : "'\(start)'"),
                advice: "check whether the program writes Singer messages"
            )
        }
        return value
    }

    /// The catalogue; some programs write log lines before it.
    private static func catalogue(in bytes: [UInt8]) -> JSONValue? {
        var rest = bytes[...]
        for _ in 0..<100 {
            if let value = try? JSONValue(parsing: Array(rest)), value["streams"]?.elements != nil { return value }
            // Continue at the next line that begins an object.
            guard let next = rest.dropFirst().indices.first(where: { rest[$0] == 0x7B && rest[$0 - 1] == 0x0A }) else {
                return nil
            }
            rest = rest[next...]
        }
        return nil
    }

    /// Whether the program's help mentions `--properties`, with which older programs take their catalogue; such programs may read
    /// nothing that comes with `--catalog`.
    ///
    /// - Throws: `PlugError` if the program cannot be started.
    package func takesProperties() async throws -> Bool {
        var limits = settings.limits.whole
        (limits.output, limits.time) = (1 << 20, .seconds(60))
        // However it ends: a program without help does not mention the option.
        let (bytes, _) = try await answer(to: "--help", limits)
        return String(decoding: bytes, as: UTF8.self).contains("--properties")
    }

    /// The program's output for a single question, and how it ends.
    private func answer(to question: String, _ limits: ProgramLimits) async throws -> ([UInt8], ProgramEnd) {
        var call = self.call(limits)
        call.arguments.append(question)
        return try await withProgram(call, permissions, egress: egress) { program in
            await onAThreadOfItsOwn { () -> ([UInt8], ProgramEnd) in
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                while case .bytes(let count) = buffer.withUnsafeMutableBytes({ program.read(into: $0, patience: -1) }) {
                    bytes += buffer.prefix(count)
                }
                return (bytes, program.finish(killing: false))
            }
        }
    }
}
