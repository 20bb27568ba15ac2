internal import PlugCore
internal import PlugManifest

extension Manifest {
    /// What a person should know about the service before it is asked for anything; `nil` if everyone can use it.
    var statusWarning: String? {
        guard let status else { return nil }
        let who = status.state == .closed ? "the service accepts no new people" : "not everybody can use the service"
        let instead = status.successor.map { ". Use the plug '\($0)' instead" } ?? ""
        return "\(id): \(who): \(status.text.trimmingFullStop)\(instead)"
    }

    /// Prints it on stderr.
    func warnOfStatus(_ context: CommandContext) {
        guard let statusWarning else { return }
        context.errors.write(DisplayText.escaped("warning: [\(PlugError.Code.serviceLimited)] \(statusWarning)") + "\n")
    }
}

extension String {
    fileprivate var trimmingFullStop: Substring { hasSuffix(".") ? dropLast() : self[...] }
}
