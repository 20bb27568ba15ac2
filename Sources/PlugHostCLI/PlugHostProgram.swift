internal import ArgumentParser
internal import BundledFetchers
internal import Cryptography
internal import Glibc
package import PlugCore
package import PlugModules

/// The program `plughost`: parses the command line, runs one command, exits with its status.
package enum PlugHostProgram {
    /// Its version.
    package static let version = "0.1.0"

    /// For all commands of a process, as their threads exist until it ends: a plug's package may run many, in its tests.
    private static let taskThreads: Result<TaskThreads, PlugError> = {
        if let shortage = SpareThreads.shortage() { return .failure(shortage) }
        return TaskThreads().map { .success($0) } ?? .failure(SpareThreads.error(0))
    }()

    /// Runs the command that the process was started with, and ends the process.
    ///
    /// - Parameter fetchers: Fetchers in Swift, in addition to those of the bundled plugs.
    package static func main(fetchers: [any StreamFetcher.Type] = []) async -> Never {
        // They follow the environment in memory, which the run may move elsewhere: so they are read first.
        let status = await run(Array(CommandLine.arguments.dropFirst()), fetchers: fetchers)
        exit(status)
    }

    /// Runs one command with the process's own streams, and writes its output.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the program's name.
    ///   - fetchers: Fetchers in Swift, in addition to those of the bundled plugs.
    /// - Returns: The exit status.
    package static func run(_ arguments: [String], fetchers: [any StreamFetcher.Type]) async -> Int32 {
        // Swift's threads request priorities that an ordinary user may not set, and libdispatch writes a line to the system's log
        // for each refusal. It is harmless, and there is nothing to be done about it.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        // A reader that went away is an error of write(2), which the sinks handle; it must not kill a run.
        signal(SIGPIPE, SIG_IGN)
        CoreDumps.turnOff()
        // Before libcurl starts OpenSSL, whose memory must outlast this process's other threads.
        LibCrypto.start()
        Descriptors.raise()
        ProcessMemory.limitCaches()
        var context = CommandContext.ofThisProcess()
        do throws(PlugError) {
            context.fetchers = try FetcherRegistry(BundledFetchers.all + fetchers)
        } catch {
            context.tell(error)
            return error.exit.rawValue
        }
        if let shortage = Descriptors.shortage(Descriptors.limit) {
            context.tell(shortage)
            return shortage.exit.rawValue
        }
        let taskThreads: TaskThreads
        do throws(PlugError) { taskThreads = try Self.taskThreads.get() } catch {
            context.tell(error)
            return error.exit.rawValue
        }
        let status = await withTaskExecutorPreference(taskThreads) { [context] in await run(arguments, in: context) }
        context.output.flush()
        guard let failure = context.output.failure else { return status.rawValue }
        context.tell(failure)
        return status == .done ? failure.exit.rawValue : status.rawValue
    }

    /// Runs one command.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the program's name.
    ///   - context: The command's environment.
    /// - Returns: The exit status. All output has been written.
    package static func run(_ arguments: [String], in context: CommandContext) async -> ExitStatus {
        let arguments = JQArguments.joined(arguments)
        if let status = UnknownCommand.report(arguments, in: context) { return status }
        let hostCommand: any RunnableCommand
        do {
            var command = try RootCommand.parseAsRoot(arguments)
            guard let found = command as? any RunnableCommand else {
                // A group without a verb, or a request for help: the parser's own commands, which answer by throwing.
                try command.run()
                return .done
            }
            hostCommand = found
        } catch {
            return tell(error, in: context)
        }
        do {
            guard hostCommand.takesInterruptions else { return try await hostCommand.run(in: context) }
            return try await Interruption.watch(isGoodEnd: hostCommand.endsByInterruption) {
                try await hostCommand.run(in: context)
            }
        } catch let error as PlugError {
            context.tell(error, asJSON: hostCommand.speaksJSON)
            return error.exit
        } catch is CancellationError {
            return .interrupted
        } catch {
            return tell(error, in: context)
        }
    }

    /// Help and version are answers; everything else is an error.
    private static func tell(_ error: any Error, in context: CommandContext) -> ExitStatus {
        let code = RootCommand.exitCode(for: error)
        let text = context.name.shown(RootCommand.fullMessage(for: error))
        if code == .success {
            context.output.write(text + "\n")
            return .done
        }
        context.errors.write(text + "\n")
        return code == .validationFailure ? .usage : .failed
    }
}

extension FetcherRegistry {
    /// The fetchers of the bundled plugs. A test proves that their names match.
    package static let ofBundledPlugs = (try? FetcherRegistry(BundledFetchers.all)) ?? FetcherRegistry()
}
