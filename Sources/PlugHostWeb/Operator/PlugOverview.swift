internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// The status of one plug: its connections, its runs, and the versions that ran.
struct PlugOverview {
    private let plug: String
    private let manifest: Manifest?
    private let span: TimeSpan
    private let states: StateTable
    private let troubles: [TroubleCount]
    private let sums: [RunSum]
    private let errors: [ErrorCount]
    private let versions: [VersionRuns]
    private let now: Int64

    /// `nil` if the host neither serves the plug nor knows anything about it.
    init?(
        _ plug: String,
        _ span: TimeSpan,
        in store: any PlugStore,
        _ plugs: HostPlugs,
        clock: any HostClock
    ) async throws {
        (self.plug, self.span, now) = (plug, span, clock.now())
        manifest = plugs.current.manifests[plug]
        troubles = try await store.troubleCounts().filter { $0.plug == plug }
        states = StateTable(try await store.connectionCounts().filter { $0.plug == plug }, troubles, of: plug)
        versions = try await store.versions(of: plug)
        guard manifest != nil || states.total > 0 || !versions.isEmpty else { return nil }
        let first = span.starts(until: now).first ?? 0
        sums = try await store.runSums(of: plug, since: first)
        errors = try await store.errorCounts(of: plug, since: first, limit: 20)
    }

    var page: Page {
        let name = manifest.map { PlugFacts($0).name } ?? plug
        return Page(
            name,
            """
            <dl>
            <dt>Plug</dt><dd>\(plug)</dd>
            <dt>Version</dt><dd>\(manifest?.version ?? "no longer served by this host")</dd>
            <dt>Failed</dt><dd>\(rate.html) <span class="quiet">of \(Words.number(rate.runs)) runs since \
            \(Words.hour(span.starts(until: now).first ?? 0))</span></dd>
            </dl>
            <h2>Connections</h2>
            \(states.html)
            <h2>Runs</h2>
            \(span.links(on: OperatorPath.plug(plug)))
            \(RunCharts(sums, span, now: now).html)
            <h2>Errors</h2>
            \(ErrorTable.html(errors, troubles, of: plug))
            <h2>Versions</h2>
            \(table)
            <p><a href="\(PlugPages.path(plug))">What people see</a></p>
            """
        )
    }

    private var rate: FailureRate {
        FailureRate(
            runs: sums.reduce(0) { $0 + $1.runs },
            failed: sums.reduce(0) { $0 + ($1.outcome == "failed" ? $1.runs : 0) }
        )
    }

    private var table: HTML {
        let rows = versions.map { version -> HTML in
            """
            <tr><th scope="row">\(version.version)</th><td>\(Words.number(version.runs))</td>\
            <td>\(FailureRate(runs: version.runs, failed: version.failed).html)</td>\
            <td>\(Words.time(version.began.lowerBound))</td><td>\(Words.time(version.began.upperBound))</td></tr>
            """
        }
        if rows.isEmpty { return "<p>It has not run yet.</p>" }
        return DataTable.html("Versions", columns: ["Version", "Runs", "Failed", "First run", "Last run"], rows)
    }
}
