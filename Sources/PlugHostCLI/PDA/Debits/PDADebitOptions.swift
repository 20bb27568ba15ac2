internal import ArgumentParser
internal import LosslessJSON

/// A data debit's key, and how to reach its PDA.
struct PDADebitOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The data debit's key.", valueName: "key"))
    var key: String

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON.")
    var json = false
}

/// A call about one data debit.
protocol PDADebitCommand: PDACallCommand {
    var debit: PDADebitOptions { get }
}

extension PDADebitCommand {
    var access: PDAAccess { debit.access }
    var json: Bool { debit.json }
}
