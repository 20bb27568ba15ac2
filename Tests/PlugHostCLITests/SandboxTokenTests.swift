import PlugCore
import TestKit
import Testing

/// `plughost sandbox token`, by the places its token can go to.
@Suite(.fewAtATime)
struct SandboxTokenTests {
    private static let plug = """
        plug: steps
        api: 1
        version: 1.0.0
        namespace: steps
        hosts: [api.example.org]
        streams:
          days: {endpoint: days, request: {path: "https://api.example.org/d"}, key: [.id], version: none}

        """

    /// Whether it is a token in compact form, on a line of its own.
    private static func isToken(_ text: String) -> Bool {
        text.hasSuffix("\n") && text.hasPrefix("ey") && text.split(separator: ".").count == 3
    }

    @Test(arguments: [[], ["--out", "-"]])
    func itIsPrintedWhereNoFileIsNamed(arguments: [String]) async throws {
        try await Program.withFolder { folder in
            try SandboxKey.put(into: folder)
            try FilesHere.write(Self.plug, to: folder + "/plug.yaml")
            let command = ["sandbox", "token", folder + "/plug.yaml", "--state", folder]
            let ended = await Program.run(command + arguments)
            #expect(ended.status == .done && ended.errors == "", "\(ended.errors)")
            #expect(Self.isToken(ended.output), "\(ended.output)")
        }
    }

    @Test func aFileIsNamedOnStderr() async throws {
        try await Program.withFolder { folder in
            try SandboxKey.put(into: folder)
            try FilesHere.write(Self.plug, to: folder + "/plug.yaml")
            let file = folder + "/token"
            let ended = await Program.run([
                "sandbox", "token", folder + "/plug.yaml", "--state", folder, "--out", file,
            ])
            #expect(
                ended.output == ""
                    && ended.errors
                        == "'steps' is set up in the sandbox of \(folder); its application token is in \(file)\n"
            )
            #expect(Self.isToken(try FilesHere.read(file)))
        }
    }

    @Test func noSandboxIsMadeWhereNoneWasNamed() async throws {
        try await Program.withFolder { folder in
            try FilesHere.write(Self.plug, to: folder + "/plug.yaml")
            let ended = await Program.run(
                ["sandbox", "token", folder + "/plug.yaml"],
                environment: ["XDG_STATE_HOME": folder]
            )
            #expect(ended.status == .configuration && ended.output == "")
            #expect(
                ended.errors == """
                    error: [sandbox-missing] there is no sandbox in \(folder)/plughost/sandbox
                      help: start it with 'plughost sandbox', or name another's folder with --state

                    """
            )
            #expect(try FilesHere.names(in: folder) == ["plug.yaml"])
        }
    }
}
