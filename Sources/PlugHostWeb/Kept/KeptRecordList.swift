internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// The number of records on a page, and in a form.
enum KeptRecordPage { static let size = 50 }

/// The result of sending again.
struct Resent: Sendable {
    /// The result in words.
    var text: String
    /// Whether everything selected is now in the PDA.
    var isComplete: Bool
}

/// A page of records that are kept for a connection, with the actions on them.
protocol KeptRecordList: Sendable {
    /// The records' name in texts.
    static var words: String { get }
    /// Whether sending again applies to all of them, not only the selected ones.
    static var retriesAll: Bool { get }
    /// The page's title.
    var title: String { get }
    /// The consequences of erasing some.
    var consequence: String { get }
    /// The table with its form.
    func content(for request: HostRequest) -> HTML
    /// The given numbers that are on this page: a form cannot name records of other connections.
    func own(_ ids: [Int64]) -> [Int64]
    /// Sends again.
    func retry(_ ids: [Int64], _ access: ResendAccess) async throws -> Resent
    /// Erases some.
    func drop(_ ids: [Int64], _ kept: KeptRecords) async throws -> Int
}

extension KeptRecordList {
    /// A table with selectable rows, and the buttons below it.
    static func form(
        _ request: HostRequest,
        columns: [String],
        rows: [(id: Int64, name: String, cells: HTML)]
    ) -> HTML {
        let lines = rows.map { row -> HTML in
            """
            <tr><td><label class="check" for="id-\(row.id)"><input type="checkbox" id="id-\(row.id)" name="id" value="\(row.id)">
            <span>\(row.name)</span></label></td>\(row.cells)</tr>
            """
        }
        let table = DataTable.html(words, columns: columns, lines)
        let again = retriesAll ? "Send all again" : "Send again"
        return Page.form(
            to: request.path + (request.rawQuery.isEmpty ? "" : "?\(request.rawQuery)"),
            for: request,
            """
            \(table)
            <div class="row"><button name="do" value="retry">\(again)</button>
            <button class="danger" name="do" value="drop">Erase</button></div>
            """
        )
    }

    /// The link to the next page.
    static func more(_ request: HostRequest, after id: Int64?) -> HTML? {
        id.map { "<p class=\"row\"><a class=\"button plain\" href=\"\(request.path)?after=\($0)\">More</a></p>" }
    }
}
