internal import CurlTransport
internal import Logging
internal import LosslessJSON
internal import PDASandbox
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage

/// `try --sandbox`: starts a PDA, sets up the plug in it, delivers its records, and shows what has arrived.
struct TrialSandbox {
    let command: TryCommand
    let trial: Trial

    func run(in context: CommandContext) async throws -> ExitStatus {
        let folder = try DemoFolder(nil, context.environment)
        defer { folder.remove() }
        let home = SandboxHome(folder: "\(folder.path)/sandbox")
        let (password, _) = try home.password(nil)
        let manifest = try Manifests.load(command.live.path, in: context)
        var options = try SandboxOptions(stateFolder: home.folder, owner: DemoCommand.owner, password: password)
        options.applications = [try Applications.definition(of: manifest, .decodable, in: context)]
        options.logger = Logger(label: "try") { _ in SwiftLogNoOpLogHandler() }
        let sandbox = try await SandboxPDA(options)
        let (addresses, told) = AsyncStream.makeStream(of: SandboxAddress.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { told.finish() }
                try await sandbox.run { told.yield($0) }
            }
            var status = ExitStatus.done
            for await address in addresses {
                status = try await deliver(to: address, password, "\(folder.path)/state", context)
                break
            }
            // Without an address the sandbox has failed, and the group throws its error. On a terminal it stays available.
            let stays = context.outputIsTerminal && status == .done
            if !stays { group.cancelAll() }
            do { try await group.waitForAll() } catch is CancellationError { return stays ? .done : status }
            return status
        }
    }

    private func deliver(
        to address: SandboxAddress,
        _ password: Secret,
        _ state: String,
        _ context: CommandContext
    ) async throws -> ExitStatus {
        let url = try HTTPURL(address.url)
        let talk = RunTalk(context, printsRecords: false, showsWaits: true)
        let trace = command.live.tracing(talk)
        let plug = try await LivePlug(command.live, pda: url, trace: trace, in: context)
        return try await lend(plug, closing: { await $0.close() }) { plug in
            let id = plug.manifest.id
            let owner = try await command.live.network.withTransport(pda: url) { direct in
                let owner = try await DemoOwner(
                    name: DemoCommand.owner,
                    password: password,
                    at: url.origin,
                    over: direct
                )
                try await owner.setUp(id)
                let token = try await owner.token(of: id)
                context.output.write("\nsandbox: a PDA runs at \(address.url), '\(id)' is set up in it\n")
                let report = try await run(plug, token, at: url.origin, state, context, talk, trace)
                context.output.write(RunSummary.text(report, isDryRun: false))
                if let error = report.error { context.errors.write(ErrorText.text(error)) }
                try await show(plug.manifest, owner, context)
                return report.exit
            }
            context.output.write("look at it: \(address.page.reveal())\n")
            context.output.write(
                context.outputIsTerminal
                    ? "(the address works once, in one browser; the PDA runs until Ctrl-C)\n"
                    : "(without a terminal, the PDA ends here)\n"
            )
            context.output.flush()
            return owner
        }
    }

    private func run(
        _ plug: LivePlug,
        _ token: Secret,
        at origin: String,
        _ state: String,
        _ context: CommandContext,
        _ talk: RunTalk,
        _ trace: RequestTrace
    ) async throws -> RunReport {
        trace.hide(token)
        let store = try await SQLiteStore.open(folder: state, access: .write(wait: .zero), clock: context.clock)
        return await lend(store, closing: { await $0.close() }) { store in
            var request = plug.request(command.streams)
            (request.pda, request.token, request.isDryRun, request.since) = (origin, token, false, command.since)
            request.trial = trial
            return await PlugRun(
                request,
                store: store,
                grants: plug.grants,
                transport: plug.sender,
                clock: context.clock
            ) { event in
                trace.note(event)
                talk.note(event)
            }.run()
        }
    }

    private func show(_ manifest: Manifest, _ owner: DemoOwner, _ context: CommandContext) async throws {
        for path in Set(manifest.streams.compactMap(\.path)).sorted(by: { $0.description < $1.description }) {
            let (count, first) = try await owner.records(at: path, showing: 3)
            context.output.write("in the PDA: \(count.counted("record")) in \(path)\n")
            let hidden = trial.reveals ? HiddenMembers() : manifest.hidden(at: path.description)
            for record in first {
                let line = TrialText.cut(hidden.shown(record).compactText, to: 200)
                context.output.write("  \(DisplayText.escaped(line))\n")
            }
        }
    }
}
