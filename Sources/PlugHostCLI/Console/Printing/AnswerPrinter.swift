internal import LosslessJSON

/// The one place that switches on the form of an answer: text for people, JSON for programs.
struct AnswerPrinter {
    let context: CommandContext
    /// Whether JSON was asked for.
    let isJSON: Bool

    /// Prints one answer: a line of JSON, or a text with its line break.
    func one(_ payload: @autoclosure () -> JSONValue, text: @autoclosure () -> String) {
        if isJSON { context.answer(payload()) } else { context.output.write(text()) }
        context.output.flush()
    }

    /// Prints a list that is in memory.
    func list<Element>(_ elements: some Sequence<Element>, as form: ListForm<Element>) {
        var printer = ListPrinter(form, self)
        for element in elements { printer.add(element) }
        printer.flush()
    }

    /// Prints JSON that has no other form: pretty-printed on a terminal, otherwise on a line.
    func document(_ value: JSONValue) {
        if context.outputIsTerminal, !isJSON {
            context.output.write(PrettyJSON(isForTerminal: true).text(value) + "\n")
        } else {
            context.answer(value)
        }
        context.output.flush()
    }
}

/// A command that answers with text, or with JSON if `--json` is given.
protocol AnsweringCommand: RunnableCommand {
    var json: Bool { get }
}

extension AnsweringCommand {
    var speaksJSON: Bool { json }

    /// The printer of the command's answer.
    func answers(in context: CommandContext) -> AnswerPrinter { AnswerPrinter(context: context, isJSON: json) }
}
