internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import Synchronization

/// `plughost doctor`
struct DoctorCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks a host and what it needs, and says what to do about each problem.",
        usage: "plughost doctor [<options>]",
        discussion: """
            The checks, in this order: build, libraries, configuration, plugs, programs,
            disk, clock, state, key, host, connections, runs, notices, names (DNS), PDAs,
            providers.
            Nothing is changed.

            It asks at most ten PDAs for their public key, and checks whether at most
            twenty hosts of plugs with connections answer at all. No credential is sent.
            --offline skips the network.

            Exit code 0 means that nothing failed (there may be warnings), 1 that
            something did.

            Examples:
              plughost doctor
              sudo -u plughost plughost doctor --config /etc/plughost/plughost.yaml
            """
    )

    @OptionGroup var host: HostOptions
    @OptionGroup var network: NetworkOptions

    @Flag(help: "Check nothing that needs the network.")
    var offline = false

    @Flag(help: "Print one JSON object per line: number, name, verdict, text, cure.")
    var json = false

    var takesInterruptions: Bool { true }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let failed = Latch()
        let number = Mutex(0)
        let doctor = Doctor(host: host, network: network, isOffline: offline, context: context)
        try await doctor.run { result in
            let number = number.withLock { number in
                number += 1
                return number
            }
            if result.verdict == .failure { failed.set() }
            answers(in: context).one(Self.payload(result, number), text: Self.text(result, number))
        }
        return failed.isSet ? .failed : .done
    }

    private static func payload(_ result: CheckResult, _ number: Int) -> JSONValue {
        .members(
            ("number", .integer(number)),
            ("name", .text(result.name)),
            ("verdict", .text(result.verdict.rawValue)),
            ("text", .text(result.text)),
            ("cure", result.cure.map { .text($0) } ?? .null)
        )
    }

    private static func text(_ result: CheckResult, _ number: Int) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        let place = number < 10 ? " \(number)" : "\(number)"
        let text = DisplayText.escaped(result.text)
        let line = "\(place)  \(padded(result.verdict.rawValue, 7))  \(padded(result.name, 13))  \(text)\n"
        return line + (result.cure.map { "                            do: \(DisplayText.escaped($0))\n" } ?? "")
    }
}
