import LosslessJSON
import PlugCore
import PlugTesting
import TestKit
import Testing

@testable import PlugHostCLI

@Suite(.fewAtATime)
struct DemoTests {
    private static let wikipedia = Program.root + "/Plugs/wikipedia"

    /// The output without what differs each time: port, key, clock, folder.
    private func steady(_ output: String) -> String {
        output.replacing(#/http:\/\/127\.0\.0\.1:\d+/#, with: "PDA")
            .replacing(#/key=[0-9a-f]+/#, with: "key=KEY")
            .replacing(#/--state .*/#, with: "--state DIR")
            .replacing(Program.root, with: "")
    }

    private static func expected(_ source: String, plug: String) -> String {
        """
        From Wikipedia into a personal data account (PDA) on this machine.
        The plug is \(plug)/plug.yaml; it writes to wikipedia/contributions.

        PDA         a sandbox runs at PDA
        set up      the owner logs in and sets up 'wikipedia': notConnected -> fetching
                    its token only allows writing to 'wikipedia'
        source      \(source)
        run         contributions: 5 records: 5 delivered; up to 2019-02-05T14:05:11Z
        in the PDA  5 records in wikipedia/contributions, as the owner reads them:
                      2019-01-14 08:01  Lighthouse of Aveiro  New article: the tallest …
                      2019-01-30 18:04  Lighthouse of Aveiro  /* History */ two sources…
                      2019-02-01 09:12  Talk:Aveiro, Portugal
                      … and 2 more
        run again   contributions: nothing new: 5 known
        state       'wikipedia', as the PDA sees it: notConnected -> connected

        look at it  PDA/?key=KEY
                    (the address works once, in one browser)
                    without a terminal, the demo and its PDA end here
        again       plughost sandbox --listen 127.0.0.1:0 --state DIR

        """
    }

    @Test func offlineItDeliversTheStoredAnswersAndSaysSo() async throws {
        try await Program.withFolder { folder in
            let ended = await Program.run(["demo", "--offline", "--plug", Self.wikipedia, "--state", folder])
            #expect(ended.status == .done, "\(ended.errors)")
            let source = """
                RECORDED ANSWERS of Wikipedia, served from this machine
                            (not live: --offline was given)
                """
            #expect(steady(ended.output) == Self.expected(source, plug: "/Plugs/wikipedia"))
            #expect(ended.errors.isEmpty)
            let made = try FilesHere.names(in: folder)
            #expect(made == ["sandbox", "state"])
        }
    }

    /// The same plug over a real connection to a service on this machine.
    @Test func liveItReadsTheServiceItselfAndSaysSo() async throws {
        try await Program.withFolder { folder in
            let cassette = try Cassette.load(Self.wikipedia + "/fixtures/contributions.json")
            let server = try LoopbackServer.wiki(cassette)
            defer { server.stop() }
            try FilesHere.write(try Self.manifest(at: server), to: folder + "/plug.yaml")
            let ended = await Program.run(
                [
                    "demo", "--plug", folder, "--state", folder + "/state", "--config", "user=Example editor",
                    "--config", "from=2019-01-01", "--allow-network", "source=127.0.0.0/8",
                ],
                clock: PatientClock()
            )
            #expect(ended.status == .done, "\(ended.errors)")
            let source = """
                LIVE: answers from Wikipedia itself
                            (user Example editor, wiki en.wikipedia.org, from 2019-01-01)
                """
            #expect(steady(ended.output).replacing(folder, with: "") == Self.expected(source, plug: ""))
        }
    }

    @Test func aServiceThatCannotBeReachedIsReplacedByItsStoredAnswers() async throws {
        try await Program.withFolder { folder in
            // Nobody listens on port 1, and the fixture is there.
            let ended = await Program.run(
                [
                    "demo", "--plug", Self.wikipedia, "--state", folder, "--config", "user=x", "--config",
                    "wiki=127.0.0.1:1", "--allow-network", "source=127.0.0.0/8",
                ],
                clock: HastyClock()
            )
            #expect(ended.status == .done, "\(ended.errors)")
            #expect(ended.output.contains("RECORDED ANSWERS of Wikipedia, served from this machine\n"))
            #expect(ended.output.contains("            (not live: "))
        }
    }

    @Test func aBundledPlugReadsTheLastYearOfAPublicAccountUnlessSomebodyAnswers() throws {
        let context = CommandContext(output: TextSink(), errors: TextSink())
        let plug = try DemoPlug(Self.wikipedia, in: context)
        var answers = ConfigAnswers(file: [], options: [], environment: [:])
        let now = StillClock().now()
        let open = try plug.liveConfig(answers, now: now)
        #expect(
            open.map { JSONValue.object($0).compactText }
                == #"{"wiki":"en.wikipedia.org","from":"2024-11-21","user":"Jimbo Wales"}"#
        )
        answers.options = [.init(name: "from", text: "2020-01-01", isOpen: true)]
        #expect(try plug.liveConfig(answers, now: now) == nil)
        answers.options.append(.init(name: "user", text: "Ada", isOpen: true))
        let own = try plug.liveConfig(answers, now: now)
        #expect(
            own.map { JSONValue.object($0).compactText }
                == #"{"user":"Ada","wiki":"en.wikipedia.org","from":"2020-01-01"}"#
        )
    }

    @Test func aServiceWithNothingToShowIsReplacedToo() async throws {
        try await Program.withFolder { folder in
            var cassette = try Cassette.load(Self.wikipedia + "/fixtures/contributions.json")
            for index in cassette.exchanges.indices {
                cassette.exchanges[index].body = Array(#"{"batchcomplete":true,"query":{"usercontribs":[]}}"#.utf8)
            }
            let server = try LoopbackServer.wiki(cassette)
            defer { server.stop() }
            try FilesHere.write(try Self.manifest(at: server), to: folder + "/plug.yaml")
            let ended = await Program.run(
                [
                    "demo", "--plug", folder, "--state", folder + "/state", "--config", "user=x", "--allow-network",
                    "source=127.0.0.0/8",
                ],
                clock: PatientClock()
            )
            // This copy of the plug has no stored answers.
            #expect(ended.status == .unreachable)
            #expect(ended.errors.contains("cannot be read (it answers, but has no records)"))
        }
    }

    /// The bundled plug, led to a service on this machine.
    private static func manifest(at server: LoopbackServer) throws -> String {
        try FilesHere.read(wikipedia + "/plug.yaml")
            .replacing(#/hosts: .*/#, with: "hosts: [\"\(server.authority)\"]")
            .replacing(#/base: .*/#, with: "base: \"http://\(server.authority)\"")
    }

    @Test func whatCannotBeginSaysWhatToDo() async throws {
        try await Program.withFolder { folder in
            let missing = await Program.run(["demo", "--plug", folder])
            #expect(missing.status == .configuration)
            #expect(missing.errors.contains("[manifest-missing]"))
            let bare = """
                plug: bare
                api: 1
                version: 1.0.0
                hosts: [en.wikipedia.org]
                streams:
                  edits: {endpoint: edits, request: {path: "https://en.wikipedia.org/w"}, key: [.id], version: none}

                """
            try FilesHere.write(bare, to: folder + "/plug.yaml")
            let nothing = await Program.run(["demo", "--offline", "--plug", folder, "--state", folder + "/state"])
            #expect(nothing.status == .unreachable)
            #expect(nothing.errors.contains("error: [demo-no-source] bare cannot be read (--offline was given)"))
            let misspelt = await Program.run(["demo", "--offline", "--plug", folder, "--config", "usr=x"])
            #expect(misspelt.status == .usage)
            #expect(misspelt.errors.contains("[unknown-config]"))
        }
    }

    @Test(arguments: [
        "deadletter-unknown", "connection-ambiguous", "not-confirmed", "demo-plug-missing", "demo-no-source",
        "demo-pda", "application-invalid",
    ])
    func itsCodesAreExplained(code: String) async {
        let ended = await Program.run(["explain", code])
        #expect(ended.status == .done && ended.output.hasPrefix("\(code)\n"))
    }
}
