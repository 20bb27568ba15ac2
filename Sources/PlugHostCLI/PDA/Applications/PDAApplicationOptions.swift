internal import ArgumentParser
internal import LosslessJSON

/// An application's id, and how to reach its PDA.
struct PDAApplicationOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The application's id.", valueName: "id"))
    var id: String

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON.")
    var json = false
}

/// A call about one application.
protocol PDAApplicationCommand: PDACallCommand {
    var application: PDAApplicationOptions { get }
}

extension PDAApplicationCommand {
    var access: PDAAccess { application.access }
    var json: Bool { application.json }
}
