import Foundation
import Glibc
import PlugCore
import TestKit
import Testing

@testable import Programs

@Suite(.fewAtATime) struct ProgramPlaceTests {
    @Test func aPathIsTidiedAsItIsWritten() {
        #expect(ProgramPlace.tidy("/a/./b//../c/") == "/a/c")
        #expect(ProgramPlace.tidy("/../..") == "/")
    }

    @Test func aProgramOfTheSystemNeedsNothingBesideIt() throws {
        let place = try ProgramPlace("sh", in: nil, searching: ["/usr/bin"], hiding: [])
        #expect(place.path == "/usr/bin/sh" && place.read == [])
    }

    @Test func aProgramThatIsNotThereIsNamed() {
        let error = #expect(throws: PlugError.self) {
            try ProgramPlace("tap-nowhere", in: nil, searching: ["/usr/bin"], hiding: [])
        }
        #expect(error?.code == "program-not-found" && error?.exit == .configuration)
        #expect(error?.message == "there is no program 'tap-nowhere'")
    }

    @Test func aProgramReadsTheFolderOfItsManifest() throws {
        let world = try World()
        try world.program("plug/bin/tap.py")
        #expect(try world.place("./bin/tap.py").read == [world.path("plug")])
        // Also where the folder is called as those of installations are.
        try world.program("bin/tap.py")
        #expect(try world.place("./tap.py", in: "bin").read == [world.path("bin")])
    }

    // MARK: - What a stranger's folder says

    @Test(arguments: ["state/key", "secrets", "secrets/", "state", "/"])
    func thePythonThatAPlugNamesIsReadOnlyWhereItIsOne(_ home: String) throws {
        let world = try World()
        try world.program("plug/tap.py")
        try world.file("secrets/id_rsa", "secret")
        try world.file("state/key", "secret")
        try world.file(
            "plug/pyvenv.cfg",
            "home = \(home == "/" ? "/" : world.path(home))\nhome = \(world.path("secrets"))\n"
        )
        #expect(try world.place("./tap.py").read == [world.path("plug")])
    }

    @Test func ofAnInterpreterThatAPlugNamesOnlyTheInstallationIsRead() throws {
        let world = try World()
        try world.program("project/bin/python3", "")
        try world.file("project/.env", "secret")
        try world.program("plug/tap.py", "#!\(world.path("project/bin/python3"))\n")
        // A folder in which somebody works.
        #expect(try world.place("./tap.py").read == [world.path("plug"), world.path("project/bin/python3")])
        // One that Python was installed into.
        try world.file("project/lib/python3.12/os.py", "")
        try world.file("project/lib64", "", leadingTo: "lib")
        try world.file("project/libexec", "", leadingTo: "../secrets")
        let installed = ["bin/python3", "bin", "lib", "lib64"].map { world.path("project/\($0)") }
        #expect(try world.place("./tap.py").read == [world.path("plug")] + installed)
    }

    @Test func aFileThatIsNoProgramIsNoInterpreter() throws {
        let world = try World()
        try world.file("secrets/id_rsa", "secret")
        try world.program("plug/tap.py", "#!\(world.path("secrets/id_rsa"))\n")
        #expect(try world.place("./tap.py").read == [world.path("plug")])
    }

    @Test func aLinkLeadsWhereTheSystemFollowsIt() throws {
        let world = try World()
        try world.program("other/x")
        try world.program("plug/deep/other/x")
        try world.file("plug/deep/a/b/keep", "")
        try world.file("plug/sub", "", leadingTo: "deep/a/b")
        // By its letters it would be the other one.
        try world.file("plug/tap.py", "", leadingTo: "sub/../../other/x")
        #expect(try world.place("./tap.py").read == [world.path("plug")])
        // A folder that is a link out of the plug is none of its own.
        try world.file("plug/out", "", leadingTo: "../other")
        #expect(try world.place("./out/x").read == [world.path("other/x")])
    }

    @Test func environmentsAndLinksThatLeadInCirclesHaveAnEnd() throws {
        let world = try World()
        try world.program("plug/bin/python3", "#!\(world.path("plug/bin/python3"))\n")
        try world.file("plug/pyvenv.cfg", "home = \(world.path("plug/bin"))\n")
        #expect(try world.place("./bin/python3").read == [world.path("plug")])
        // Each of these leads to two others.
        for at in 0..<40 {
            try world.program("plug/p\(at)", "#!\(world.path("plug/l\(at + 1)"))\n")
            try world.file("plug/l\(at)", "", leadingTo: "p\(at)")
        }
        #expect(try world.place("./l0").read == [world.path("plug")])
    }

    @Test(.timeLimit(.minutes(60))) func aPipeIsNoConfigurationOfAnEnvironment() throws {
        let world = try World()
        try world.program("plug/tap.py")
        #expect(mkfifo(world.path("plug/pyvenv.cfg"), 0o600) == 0)
        #expect(try world.place("./tap.py").read == [world.path("plug")])
    }

    @Test(arguments: ["-S -u cargo python3", "-S cargo", "A=b cargo"])
    func behindOptionsOfEnvNothingIsTheOperatorsWord(_ words: String) throws {
        let world = try World()
        try world.program("tools/bin/cargo", "")
        try world.file("tools/credentials", "secret")
        try world.program("plug/tap.py", "#!/usr/bin/env \(words)\n")
        let place = try ProgramPlace(
            "./tap.py",
            in: world.path("plug"),
            searching: [world.path("tools/bin")],
            hiding: []
        )
        #expect(place.read == [world.path("plug"), world.path("tools/bin/cargo")])
        try world.program("plug/tap.py", "#!/usr/bin/env cargo\n")
        let plain = try ProgramPlace(
            "./tap.py",
            in: world.path("plug"),
            searching: [world.path("tools/bin")],
            hiding: []
        )
        #expect(plain.read == [world.path("plug"), world.path("tools")])
    }

    @Test func whatPATHFindsInAPlugIsTheStrangersWord() throws {
        let world = try World()
        try world.program("victim/app/bin/run", "")
        try world.file("victim/app/.env", "secret")
        try world.file("plug/bin/tap-q", "", leadingTo: world.path("victim/app/bin/run"))
        let searched = [world.path("plug/bin")]
        let place = try ProgramPlace("tap-q", in: world.path("plug"), searching: searched, hiding: [])
        #expect(place.read == [world.path("plug"), world.path("victim/app/bin/run")])
    }

    @Test func aPlugInTheStateIsReadWithoutTheRestOfIt() throws {
        let world = try World()
        try world.program("state/plugs/a/tap.py")
        try world.file("state/plugs/b/secret", "secret")
        try world.file("state/key", "secret")
        let place = try world.place("./tap.py", in: "state/plugs/a", hiding: [world.path("state")])
        #expect(place.read == [world.path("state/plugs/a")])
        #expect(place.files.opened == [])
    }

    @Test func foldersOfTokensAreCoveredOrTheProgramIsNotStarted() throws {
        let world = try World()
        try world.program("plug/tap.py")
        try world.file("plug/tokens/ada", "secret")
        try world.file("elsewhere/bob", "secret")
        func place(_ guarded: [String]) throws -> ProgramPlace {
            try ProgramPlace(
                "./tap.py",
                in: world.path("plug"),
                searching: [],
                hiding: [],
                guarding: guarded.map(world.path)
            )
        }
        #expect(try place(["plug/tokens", "elsewhere"]).read == [world.path("plug/tap.py")])
        let error = #expect(throws: PlugError.self) { try place(["plug"]) }
        #expect(error?.code == "program-sandbox")
        #expect(
            error?.message
                == "the program './tap.py' was not started: it could read the tokens of other people in \(world.path("plug"))"
        )
    }

    @Test func ofAFolderWithSomethingHiddenTheRestIsRead() throws {
        let world = try World()
        try world.program("plug/tap.py")
        try world.file("plug/token", "secret")
        try world.file("plug/state/key", "secret")
        try world.file("elsewhere", "secret")
        try world.file("plug/conf/token", "secret")
        try world.file("plug/conf/names.json", "{}")
        try world.file("plug/lib/helper.py", "")
        try world.file("plug/link", "", leadingTo: "token")
        let hidden = ["plug/token", "plug/state/key", "plug/state", "plug/conf/token", "elsewhere"].map(world.path)
        let place = try world.place("./tap.py", hiding: hidden)
        #expect(place.read == ["plug/conf/names.json", "plug/lib", "plug/tap.py"].map(world.path))
        #expect(place.files.opened == ["plug", "plug/conf"].map(world.path))
        #expect(place.files.links == [FolderLink(path: world.path("plug/link"), target: "token")])
        // What is not there yet is hidden when it comes.
        let later = try world.place("./tap.py", hiding: [world.path("plug/later")])
        #expect(later.files.opened == [world.path("plug")])
        // A plug inside of what is hidden: its program alone.
        #expect(try world.place("./tap.py", hiding: [world.path("plug")]).read == [world.path("plug/tap.py")])
    }

    // MARK: - What the operator has installed

    @Test func aProgramOfPATHIsReadWithItsEnvironmentAndItsPython() throws {
        let world = try World()
        try world.program("python/bin/python3", "")
        try world.file("python/lib/python3.12/os.py", "")
        try world.file("python/share/doc", "")
        try world.program("tap/bin/tap-example", "#!\(world.path("tap/bin/python"))\n")
        try world.file("tap/bin/python", "", leadingTo: world.path("python/bin/python3"))
        try world.file("tap/pyvenv.cfg", "home = \(world.path("python/bin"))\n")
        let searched = [world.path("tap/bin")]
        let place = try ProgramPlace("tap-example", in: world.path("plug"), searching: searched, hiding: [])
        #expect(place.read == [world.path("tap"), world.path("python")])
        // The same one, named by a manifest.
        let named = try ProgramPlace(world.path("tap/bin/tap-example"), in: nil, searching: [], hiding: [])
        #expect(
            named.read
                == [
                    "tap/bin/tap-example", "tap/bin", "tap/pyvenv.cfg", "python/bin/python3", "python/bin",
                    "python/lib",
                ]
                .map(world.path)
        )
    }

    @Test func aFolderWithAnotherNameKeepsIt() throws {
        let world = try World()
        try world.program("python-3.12.3/bin/python3", "")
        try world.file("python-3.12.3/lib/python3.12/os.py", "")
        try world.file("python-3.12", "", leadingTo: "python-3.12.3")
        try world.program("plug/tap.py", "#!\(world.path("python-3.12/bin/python3"))\n")
        let place = try world.place("./tap.py")
        #expect(place.links == [FolderLink(path: world.path("python-3.12"), target: world.path("python-3.12.3"))])
    }

    @Test func foldersThatTheOperatorAllowsAreRead() throws {
        let world = try World()
        try world.program("plug/tap.py")
        try world.file("packages/a.py", "")
        try world.file("packages/token", "secret")
        let allowed = ["packages", "nowhere"].map(world.path)
        let hidden = [world.path("packages/token")]
        let place = try ProgramPlace(
            "./tap.py",
            in: world.path("plug"),
            searching: [],
            hiding: hidden,
            allowing: allowed
        )
        #expect(place.read == [world.path("packages/a.py"), world.path("plug")])
    }

    @Test func tooMuchBesideSomethingHiddenIsAnError() throws {
        let world = try World()
        try world.program("plug/tap.py")
        try world.file("plug/token", "secret")
        for number in 0..<VisibleFiles.limit { try world.file("plug/\(number)", "") }
        let error = #expect(throws: PlugError.self) { try world.place("./tap.py", hiding: [world.path("plug/token")]) }
        #expect(
            error?.message
                == "the program was not started: \(world.path("plug")) holds more than 1000 files beside \(world.path("plug/token")), "
                + "which it must not see"
        )
    }

    @Test(.needsBubblewrap) func whatIsHiddenCannotBeReadInTheSandbox() async throws {
        let world = try World()
        try world.file("plug/helper", "of the plug")
        try world.file("plug/token", "secret")
        try world.file("plug/state/key", "secret")
        try world.file("plug/link", "", leadingTo: "token")
        try world.program(
            "plug/tap.sh",
            "#!/bin/sh\ncd \(world.path("plug"))\ncat helper token state/key link; ls state\necho .\n"
        )
        let hidden = ["plug/token", "plug/state", "plug/state/key"].map(world.path)
        #expect(try await world.output(of: "./tap.sh", hiding: hidden) == "of the plug.\n")
    }

    @Test(.needsBubblewrap) func whatIsHiddenCannotBeReadWhenItIsReplaced() async throws {
        let world = try World()
        try world.file("plug/token", "secret")
        // The folder of signals is mounted whole, so that the program sees what comes into it.
        try world.file("plug/signals/none", "")
        try world.program(
            "plug/tap.sh",
            "#!/bin/sh\ncd \(world.path("plug"))\necho ready\nuntil [ -e signals/go ]; do sleep 0.01; done\ncat token draft; ls\n"
        )
        let path = world.path("plug")
        let output = try await world.output(of: "./tap.sh", hiding: ["\(path)/token"]) {
            #expect(FileManager.default.createFile(atPath: "\(path)/draft", contents: Data("secret".utf8)))
            #expect(rename("\(path)/draft", "\(path)/token") == 0)
            #expect(FileManager.default.createFile(atPath: "\(path)/signals/go", contents: nil))
        }
        #expect(output == "ready\nsignals\ntap.sh\n")
    }
}

extension ProgramPlace {
    /// What is read beside the system.
    fileprivate var read: [String] { files.whole.filter { !ProgramPlace.system.contains($0) } }
}

/// Folders for one test. They have no link on the way to them.
private final class World {
    private let root: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/plughost-places-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/plug", withIntermediateDirectories: true)
        root = try #require(RealPath.of(folder))
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// Writes a file, or a link.
    func file(_ name: String, _ text: String, leadingTo target: String? = nil) throws {
        let path = path(name)
        try FileManager.default.createDirectory(atPath: RealPath.parent(path), withIntermediateDirectories: true)
        if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        if let target { return try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target) }
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    func program(_ name: String, _ text: String = "#!/usr/bin/env python3\n") throws {
        try file(name, text)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(name))
    }

    /// What a program in the sandbox writes.
    ///
    /// - Parameter begun: Called once it has written something.
    func output(
        of command: String,
        hiding hidden: [String],
        begun: @escaping @Sendable () -> Void = {}
    ) async throws -> String {
        var permissions = ProgramPermissions()
        permissions.hidden = hidden
        let call = ProgramCall(command: command, folder: path("plug"))
        return try await withProgram(call, permissions, egress: HostileProgram.rules("127.0.0.1:1")) { program in
            try await blocking {
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 4_096)
                while case .bytes(let count) = buffer.withUnsafeMutableBytes({ program.read(into: $0, patience: -1) }) {
                    if bytes.isEmpty { begun() }
                    bytes += buffer.prefix(count)
                }
                _ = program.finish(killing: false)
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    func place(_ command: String, in folder: String = "plug", hiding hidden: [String] = []) throws -> ProgramPlace {
        try ProgramPlace(command, in: path(folder), searching: ["/usr/bin"], hiding: hidden)
    }
}
