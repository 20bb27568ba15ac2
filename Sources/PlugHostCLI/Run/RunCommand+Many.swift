internal import PlugCore
internal import PlugManifest
internal import PlugStorage

extension RunCommand {
    /// The number of connections whose errors are printed; `--json` has them all.
    private static let shownErrors = 20

    /// Runs one plug for all connections of a file. An error that stops all of them has the same form as the rest.
    func runMany(_ path: String, _ plug: LoadedPlug, _ context: CommandContext, _ talk: RunTalk) async -> ExitStatus {
        var report = ManyRunsReport(plug: plug.name, connections: 0)
        do throws(PlugError) {
            let file = try ConnectionsFile(path: path)
            report = ManyRunsReport(plug: plug.name, connections: file.count)
            let manifest = try plug.result.get()
            let tokens = manifest.program == nil ? ([], []) : file.tokenPlaces
            let world = try await RunWorld(self, for: manifest, hiding: tokens, in: context)
            report = await lend(world, closing: { await $0.close() }) { world in
                await runs(of: file, manifest, world, context, talk).run()
            }
        } catch {
            report.note(error)
        }
        talk.end()
        if json {
            context.answer(report.json)
        } else if report.error == nil {
            context.output.write(report.text)
        }
        context.output.flush()
        context.errors.write(report.errors(limit: Self.shownErrors))
        return report.exit
    }

    private func runs(
        of file: ConnectionsFile,
        _ manifest: Manifest,
        _ world: RunWorld,
        _ context: CommandContext,
        _ talk: RunTalk
    ) async -> ManyRuns {
        let limit = Descriptors.limit
        let most = Descriptors.connections(within: limit)
        if parallel > most, file.count > most {
            context.errors.write(
                "warning: [\(PlugError.Code.fewDescriptors)] \(most) connections run at a time, not \(parallel): the process may open "
                    + "only \(limit) files; raise the limit with ulimit -n, or LimitNOFILE= of its unit\n"
            )
        }
        return ManyRuns(
            manifest: manifest,
            file: file,
            parallel: min(parallel, most),
            world: world,
            clock: context.clock,
            talk: talk,
            pattern: request(manifest, world),
            // If the state cannot be read, each run will report it.
            order: file.fairOrder(after: (try? await world.store?.newestRuns()) ?? [:])
        )
    }
}
