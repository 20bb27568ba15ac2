internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// The proposal of a data debit, from a file.
enum PDADebitProposal {
    /// Sends it, and prints the resulting data debit.
    static func send(
        _ file: String,
        _ debit: PDADebitOptions,
        in context: CommandContext,
        _ call: (PDA, DataDebitCreationObject) async throws(PDAError) -> DataDebitObject
    ) async throws -> ExitStatus {
        let proposal = try read(file, debit.key)
        let made = try await debit.access.withClient(in: context) { client throws(PDAError) in
            try await call(client, try DataDebitCreationObject(json: proposal))
        }
        AnswerPrinter(context: context, isJSON: debit.json).document(made.json)
        return .done
    }

    /// The object with the key from the command line, which is the one that counts for a PDA.
    private static func read(_ file: String, _ key: String) throws(PlugError) -> JSONValue {
        let value = try PDAInput.value(file)
        guard var object = value.object else {
            throw PlugError(
                .pdaInput,
                "the proposal of a data debit is an object, not \(value.typeName)",
                advice: "give one JSON document, or one per line"
            )
        }
        object["dataDebitKey"] = .text(key)
        return .object(object)
    }
}
