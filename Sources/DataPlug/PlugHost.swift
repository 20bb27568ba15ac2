internal import PlugHostCLI

/// The host: every command of plughost, in a program with its own fetchers.
///
/// ```swift
/// import DataPlug
///
/// await PlugHost.main(fetchers: [Letters.self])
/// ```
public enum PlugHost {
    /// Runs the command that the process was started with, and ends the process with its status.
    ///
    /// Help and errors name the program as it was called. The fetchers of the bundled plugs are registered as well.
    ///
    /// - Parameter fetchers: The fetchers that `swift:` in a manifest may name.
    public static func main(fetchers: [any StreamFetcher.Type]) async -> Never {
        await PlugHostProgram.main(fetchers: fetchers)
    }

    /// Runs one command within this process, such as `["test", "--conformance", "letters"]` in a package's own tests. It writes
    /// to stdout and stderr.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the program's name.
    ///   - fetchers: The fetchers that `swift:` in a manifest may name.
    /// - Returns: The exit status.
    public static func run(_ arguments: [String], fetchers: [any StreamFetcher.Type]) async -> Int32 {
        await PlugHostProgram.run(arguments, fetchers: fetchers)
    }
}
