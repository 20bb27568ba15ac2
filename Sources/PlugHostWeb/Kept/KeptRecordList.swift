internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// How many of them a page has, and a form may name.
enum KeptRecordPage { static let size = 50 }

/// What came of sending again.
struct Resent: Sendable {
    /// In words.
    var text: String
    /// Whether all that was meant is in the PDA.
    var isComplete: Bool
}

/// A page of records that are kept for a connection, with what can be done with them.
protocol KeptRecordList: Sendable {
    /// What they are called.
    static var words: String { get }
    /// Whether sending again is for all of them, and not for those that were chosen.
    static var retriesAll: Bool { get }
    /// The page's title.
    var title: String { get }
    /// What it means to erase some.
    var consequence: String { get }
    /// The table with its form.
    func content(for request: HostRequest) -> HTML
    /// Those of some numbers that are on this page: a form cannot name those of other connections.
    func own(_ ids: [Int64]) -> [Int64]
    /// Sends again.
    func retry(_ ids: [Int64], _ access: ResendAccess) async throws -> Resent
    /// Erases some.
    func drop(_ ids: [Int64], _ kept: KeptRecords) async throws -> Int
}

extension KeptRecordList {
    /// A table whose rows can be chosen, with the buttons below it.
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

    /// The way to those that come after.
    static func more(_ request: HostRequest, after id: Int64?) -> HTML? {
        id.map { "<p class=\"row\"><a class=\"button plain\" href=\"\(request.path)?after=\($0)\">More</a></p>" }
    }
}
