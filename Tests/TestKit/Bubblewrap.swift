internal import Foundation
package import Testing

/// Whether this machine can make the sandbox of programs.
private enum Bubblewrap {
    /// Known once one was made.
    static let works: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/bwrap")
        process.arguments = ["--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "/bin/true"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}

extension Trait where Self == ConditionTrait {
    /// Leaves tests out where no sandbox can be made.
    package static var needsBubblewrap: Self {
        .enabled(
            if: Bubblewrap.works,
            "bubblewrap makes no sandbox here: 'apt-get install bubblewrap', and allow user namespaces"
        )
    }
}
