internal import CurlTransport
internal import HostConfiguration
internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import Scheduling
internal import Syncing

/// Reads what a host serves: its configuration, and the plugs that it names.
struct ServedPlugs: Sendable {
    /// The plugs of the command line, which take precedence over the configuration's.
    let paths: [String]
    let host: HostOptions
    let context: CommandContext

    /// The configuration; its errors go to stderr.
    ///
    /// - Throws: `PlugError` `configuration-invalid` (78, or 64 if only the command line is wrong).
    func settings() throws(PlugError) -> HostSettings {
        let result = try host.read(context)
        result.tell(in: context)
        if let settings = result.settings { return settings }
        throw PlugError(
            .configurationInvalid,
            exit: result.status,
            "the host's configuration cannot be used",
            advice:
                "correct the errors above; 'plughost config' lists them again ('sudo plughostctl config' for an installed package)"
        )
    }

    /// Reads all plugs; findings about invalid ones go to stderr.
    ///
    /// - Throws: `PlugError` `manifest-…`, `plug-twice`, `plugs-missing` (78).
    func load(_ settings: HostSettings) throws(PlugError) -> HostPlugs.Content {
        try Self.load(settings, paths, in: context)
    }

    /// Reads all plugs of these paths, or else those that the configuration names.
    static func load(
        _ settings: HostSettings,
        _ paths: [String],
        in context: CommandContext
    ) throws(PlugError) -> HostPlugs.Content {
        var manifests: [Manifest] = []
        for path in try files(settings, paths) {
            let manifest = try Manifests.load(path, in: context)
            if let other = manifests.first(where: { $0.id == manifest.id }) {
                throw PlugError(
                    .plugTwice,
                    "two plugs are called '\(manifest.id)': \(other.source.path) and \(manifest.source.path)",
                    advice: "leave one of them out, or change its 'plug'"
                )
            }
            manifests.append(manifest)
        }
        var clients: [String: ClientIdentity] = [:]
        for provider in Set(manifests.flatMap(\.providers)) {
            clients[provider] = settings.clients.client(provider)?.value
        }
        return HostPlugs.Content(
            manifests,
            clients: clients,
            rhythm: try rhythm(settings.schedule),
            operators: settings.operators.value
        )
    }

    /// The plugs of the host that owns a state, for a command beside it; none if they cannot be read, with a warning.
    ///
    /// - Parameter paths: The plugs instead of those that the configuration names.
    static func known(
        _ paths: [String] = [],
        in state: some StateFolderNaming,
        _ context: CommandContext
    ) -> HostPlugs.Content {
        do throws(PlugError) {
            let settings = try HostOptions.settings(in: try state.folder(context), file: state.config, context)
            return try load(settings, paths, in: context)
        } catch {
            context.errors.write("warning: \(error)\n")
            return HostPlugs.Content([], clients: [:])
        }
    }

    /// What the host that owns a state has for one plug.
    ///
    /// - Throws: The errors of `HostOptions.settings` (78).
    static func host(
        of manifest: Manifest,
        in state: some StateFolderNaming,
        _ context: CommandContext
    ) throws(PlugError) -> HostPlugs.Content {
        var content = HostPlugs.Content([manifest], clients: [:])
        if manifest.providers.isEmpty, manifest.program == nil { return content }
        let settings = try HostOptions.settings(in: try state.folder(context), file: state.config, context)
        for provider in manifest.providers { content.clients[provider] = settings.clients.client(provider)?.value }
        content.programs = ProgramPolicy(NetworkPolicy(), settings, hiding: [])
        return content
    }

    /// The manifests of all paths; those bundled with plughost if none is named.
    private static func files(_ settings: HostSettings, _ paths: [String]) throws(PlugError) -> [String] {
        guard let named = paths.isEmpty ? settings.plugs.value : paths else {
            let bundled = BundledPlugs.folders.lazy.map { PlugPaths.manifests(at: $0) }.first { !$0.isEmpty }
            if let bundled { return bundled }
            throw missing(
                "no path is given, and the bundled plugs are neither in ./Plugs nor next to this program"
            )
        }
        var files: [String] = []
        for path in named {
            let found = PlugPaths.manifests(at: path)
            if found.isEmpty { throw missing("there is no plug in \(DisplayText.escaped(path))") }
            files += found
        }
        return files
    }

    private static func rhythm(_ schedule: HostSettings.Schedule) throws(PlugError) -> HostRhythm {
        var rhythm = HostRhythm(every: schedule.every.value)
        guard let quiet = schedule.quiet.value else { return rhythm }
        let times = quiet.split(separator: "-").map(String.init)
        do {
            let zone = try NamedZone.forSchedules(schedule.zone.value)
            rhythm.quietHours = try QuietHours(from: times.first ?? "", to: times.last ?? "", in: zone)
        } catch { throw error.plugError }
        return rhythm
    }

    private static func missing(_ message: String) -> PlugError {
        PlugError(
            .plugsMissing,
            message,
            advice: "name manifests, folders with a plug.yaml, or folders of such folders"
        )
    }
}
