internal import LosslessJSON
internal import PlugCore

/// The form of a list's elements: as a row and as a payload.
struct ListForm<Element>: Sendable {
    /// The names of the columns, for people.
    let header: [String]
    /// The maximum widths of a table's columns.
    let limits: [Int]
    /// The columns of an element.
    let columns: @Sendable (Element) -> [String]
    /// The object of an element.
    let payload: @Sendable (Element) -> JSONValue
}

/// Prints a list while it is read: a line of JSON for each element, a table on a terminal, or else tab-separated columns.
struct ListPrinter<Element> {
    /// The number of elements.
    private(set) var count = 0
    private let form: ListForm<Element>
    private let answers: AnswerPrinter
    /// The rows of a table, whose widths are known once all are here.
    private var rows: [[String]] = []
    private var hasHeader = false

    init(_ form: ListForm<Element>, _ answers: AnswerPrinter) {
        self.form = form
        self.answers = answers
    }

    /// Prints an element; as a row of a table it waits for `flush()`.
    mutating func add(_ element: Element) {
        count += 1
        guard !answers.isJSON else { return answers.context.answer(form.payload(element)) }
        let row = form.columns(element).map { DisplayText.escaped($0) }
        if answers.context.outputIsTerminal {
            rows.append(row)
        } else {
            // For programs nothing is truncated.
            answers.context.output.write(row.joined(separator: "\t") + "\n")
        }
    }

    /// Ends a page of the list, or all of it.
    mutating func flush() {
        if !rows.isEmpty {
            let header = hasHeader ? [] : [form.header]
            answers.context.output.write(TextTable.aligned(header + rows, limits: form.limits))
            hasHeader = true
            rows = []
        }
        answers.context.output.flush()
    }
}
