internal import CurlTransport
internal import HostConfiguration
internal import PlugCore
internal import PlugManifest
internal import Programs

/// Checks whether the programs of plugs can run.
enum ProgramChecks {
    private static let name = "programs"

    /// Builds a sandbox and runs a program in it that does nothing, if a plug of the host needs one.
    ///
    /// - Parameter manifests: The host's plugs; `nil` if they cannot be read.
    static func sandbox(_ manifests: [Manifest]?, _ settings: HostSettings) async -> CheckResult {
        guard let manifests else { return .skipped(name, "correct the plugs first") }
        let trusted = Set(settings.programs.trust.value)
        let read = manifests.filter { $0.program != nil }.map(\.id).sorted()
        if read.isEmpty { return .ok(name, "no plug is read by a program") }
        let boxed = read.filter { !trusted.contains($0) }
        let named = "\(boxed.prefix(5).joined(separator: ", "))\(boxed.count > 5 ? ", …" : "")"
        guard !boxed.isEmpty else { return .ok(name, "the programs of all plugs are trusted, and need no sandbox") }
        do {
            var call = ProgramCall(command: "true", arguments: [])
            call.limits.time = .seconds(30)
            let rules = EgressRules(policy: EgressPolicy(NetworkPolicy()), list: "") { _, _, _ in false }
            let end = try await withProgram(call, ProgramPermissions(), egress: rules) { program in
                await onAThreadOfItsOwn { program.finish(killing: false) }
            }
            switch end.cause {
            case .exited(0):
                let bound = end.bound.map { "; processes are limited by \($0)" } ?? ""
                return .ok(name, "a sandbox can be built here, for the programs of \(named)\(bound)")
            case .noSandbox(let reason): throw ProgramEnd.sandboxError(reason)
            default: return failure("a program in the sandbox of \(named) failed: \(end.cause)")
            }
        } catch {
            let known = error as? PlugError
            return failure("those of \(named) cannot run: \(known?.message ?? "\(error)")", known?.advice)
        }
    }

    private static func failure(_ text: String, _ cure: String? = nil) -> CheckResult {
        .failure(name, text, cure: cure ?? "look at Documentation/singer.md#the-sandbox")
    }
}
