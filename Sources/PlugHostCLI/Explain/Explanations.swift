internal import Connecting
internal import HostConfiguration
internal import Importing
internal import Noticing
internal import OAuth
internal import PDASandbox
internal import PlugCore
internal import PlugDeliver
internal import PlugFetch
internal import PlugHostWeb
internal import PlugManifest
internal import PlugModules
internal import PlugNormalise
internal import PlugRuntime
internal import PlugStorage
internal import PlugTesting
internal import Programs
internal import Scaffolding
internal import Scheduling
internal import Singer
internal import Syncing

/// All explanations, by topic.
enum Explanations {
    /// The topic of a group of codes.
    struct Group {
        /// One word for programs.
        let kind: String
        /// A heading for people.
        let title: String
        let codes: [PlugError.Code]
    }

    static let groups = [
        Group(kind: "manifest", title: "Manifests", codes: DiagnosticCodes.all),
        Group(kind: "source", title: "Reading a source", codes: FetchCodes.all + ModuleCodes.all),
        Group(kind: "program", title: "Programs of plugs", codes: ProgramCodes.all + SingerCodes.all),
        Group(kind: "authorisation", title: "Consents and tokens", codes: OAuthCodes.all),
        Group(
            kind: "record",
            title: "Single records (dead letters)",
            codes: RecordCodes.letters + RunCodes.records + RecordCodes.pages
        ),
        Group(kind: "pda", title: "Delivering to a PDA", codes: DeliveryCodes.all),
        Group(kind: "run", title: "Runs and tokens", codes: RunCodes.runs),
        Group(kind: "schedule", title: "Schedules", codes: ScheduleCodes.all),
        Group(kind: "configuration", title: "The host's configuration", codes: HostCodes.all),
        Group(
            kind: "host",
            title: "A host that runs connections automatically",
            codes: SyncCodes.all + ListenCodes.all
        ),
        Group(kind: "notice", title: "Notices to whoever runs a host", codes: NoticeCodes.all),
        Group(kind: "connecting", title: "Connecting a person", codes: ConnectingCodes.all),
        Group(
            kind: "web",
            title: "A host's pages and its API",
            codes: WebCodes.all + APIKeyCodes.all + OperatorCodes.all
        ),
        Group(kind: "state", title: "The state and its key", codes: state),
        Group(kind: "command", title: "Commands and files", codes: commands),
        Group(
            kind: "init",
            title: "Creating a plug",
            codes: InitCodes.all + SingerCommandCodes.all + ScaffoldingCodes.all + ImportingCodes.all
        ),
        Group(kind: "test", title: "Tests of plugs", codes: RecordCodes.fixtures + TestCodes.all),
        Group(kind: "demo", title: "The demo", codes: DemoCodes.all + ApplicationCodes.all),
        Group(
            kind: "sandbox",
            title: "The sandbox",
            codes: DirectoryCodes.all + SandboxCommandCodes.all + SandboxCodes.all
        ),
        Group(kind: "call", title: "Calls to a PDA", codes: PDACodes.all),
    ]

    private static let state = (StoreCodes.all + RunCodes.state + StateCodes.all).sorted { $0.text < $1.text }
    private static let commands: [PlugError.Code] =
        OptionCodes.all + FileCodes.all + ConsoleCodes.all + ClientCodes.all + ConnectCodes.all + RunCommandCodes.all
        + ServeCodes.all + TryCodes.all + RecordingCodes.all + JQCodes.all + ExplainCodes.all

    static let all = groups.flatMap { group in
        group.codes.map { CodeText(code: $0, kind: group.kind) }
    }

    /// The list for people: a line for each code.
    static var list: String {
        groups.map { group in
            let lines = group.codes.map { CodeText(code: $0, kind: group.kind).line }
            return "\(group.title)\n\(lines.joined())"
        }.joined(separator: "\n")
    }

    /// - Throws: `PlugError` `unknown-code` (usage) with the nearest one.
    static func find(_ code: String) throws(PlugError) -> CodeText {
        let bare = code.hasPrefix("[") && code.hasSuffix("]") ? String(code.dropFirst().dropLast()) : code
        if let found = all.first(where: { $0.code.text == bare }) { return found }
        throw PlugError(
            .unknownCode,
            "there is no code '\(DisplayText.escaped(code))'",
            advice: Spelling.question(bare, in: all.map(\.code.text)) ?? "'plughost explain' lists all codes"
        )
    }
}
