internal import PDAClient
internal import PlugCore

extension AnswerPrinter {
    /// Prints a list from a PDA: a table on a terminal, otherwise a line of JSON each. Unreadable elements are reported on
    /// stderr; programs get them as they came.
    ///
    /// - Returns: 1 if an element could not be read.
    func list<Element: PDAShape>(
        _ list: PDAList<Element>,
        _ header: [String],
        limits: [Int],
        row: (Element) -> [String]
    ) -> ExitStatus {
        let isTable = context.outputIsTerminal && !isJSON
        if isTable {
            context.output.write(TextTable.aligned([header] + list.elements.map(row), limits: limits))
        } else {
            for element in list.elements { context.answer(element.json) }
        }
        for element in list.undecodable {
            if !isTable { context.answer(element.json) }
            let reason = DisplayText.escaped(element.error.message)
            context.errors.write("warning: element \(element.index) cannot be read: \(reason)\n")
        }
        return list.undecodable.isEmpty ? .done : .failed
    }
}
