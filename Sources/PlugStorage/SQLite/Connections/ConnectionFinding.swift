internal import GRDB
internal import PlugCore

/// One search among connections: where to enter an index, and how far to walk it.
struct ConnectionFinding {
    /// How many connections of PDAs are examined for one page if not all of them match.
    static let looked = 20_000

    private let search: ConnectionSearch
    private let database: Database
    /// One more than the page holds, to tell whether there is another page.
    private var wanted: Int { max(0, search.limit) + 1 }

    init(_ search: ConnectionSearch, _ database: Database) { (self.search, self.database) = (search, database) }

    /// The names of the page's connections, and where the next one continues.
    func page() throws -> (names: [String], next: ConnectionSearch.Place?) {
        var found: [ConnectionSearch.Place] = []
        if search.after?.pda == nil { found = try byName() }
        for address in search.addresses where found.count < wanted {
            let place = search.after.flatMap { $0.pda == nil ? nil : $0 }
            // Connections with an earlier address prefix are already done.
            if let pda = place?.pda, !pda.hasPrefix(address), pda > address { continue }
            let (some, stopped) = try byAddress(address, after: place, wanted - found.count)
            found += some
            if let stopped { return (found.map(\.name), stopped) }
        }
        let page = found.prefix(max(0, search.limit))
        return (page.map(\.name), found.count > page.count ? page.last ?? search.after : nil)
    }

    // MARK: - By name

    private func byName() throws -> [ConnectionSearch.Place] {
        // A single lower bound: with two, SQLite could enter the index at either, and read everything between them.
        let after = search.after.flatMap { place in
            place.name.utf8.lexicographicallyPrecedes(search.text.utf8) ? nil : place.name
        }
        let conditions = after == nil ? "name >= ? AND name < ?" : "name > ? AND name < ?"
        let range: StatementArguments = [after ?? search.text, Self.end(of: search.text)]
        var names: [String] = []
        if search.isForTrouble {
            let (trouble, arguments) = Self.trouble(search)
            names = try read("\(trouble) AND \(conditions)", arguments + range)
            return names.prefix(wanted).map { ConnectionSearch.Place(name: $0) }
        }
        switch (search.plug, search.status) {
        case (nil, nil): names = try read("WHERE \(conditions)", range)
        case (nil, let status?): names = try read("WHERE setup_status = ? AND \(conditions)", [status.rawValue] + range)
        case (let plug?, let status):
            // Within each status they are in order; there are few statuses.
            let states = status.map { [$0.rawValue] } ?? [""] + ConnectionSetup.Status.allCases.map(\.rawValue)
            for state in states {
                names += try read("WHERE plug = ? AND setup_status = ? AND \(conditions)", [plug, state] + range)
            }
            names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        }
        return names.prefix(wanted).map { ConnectionSearch.Place(name: $0) }
    }

    /// The condition of connections in the trouble that is searched for: it fits two indexes that have only such.
    static func trouble(_ search: ConnectionSearch) -> (condition: String, arguments: StatementArguments) {
        var (conditions, arguments): ([String], StatementArguments) = (["trouble_code IS NOT NULL"], [])
        if let code = search.code {
            conditions.append("trouble_code = ?")
            arguments += [code]
        }
        conditions.append("setup_status \(search.status == nil ? "IN ('active', '')" : "= ?")")
        if let status = search.status { arguments += [status == .active ? status.rawValue : "none"] }
        if let plug = search.plug {
            conditions.append("plug = ?")
            arguments += [plug]
        }
        let index = search.code == nil ? "connection_trouble" : "connection_trouble_code"
        let text = conditions.joined(separator: " AND ") + codes(of: search.health)
        return ("INDEXED BY \(index) WHERE \(text)", arguments)
    }

    private func read(_ conditions: String, _ arguments: StatementArguments) throws -> [String] {
        let statement = try database.cachedStatement(sql: Self.names(conditions))
        return try String.fetchAll(statement, arguments: arguments + [wanted])
    }

    /// The names that match, from an index that has them in order.
    static func names(_ conditions: String) -> String {
        "SELECT name FROM connection \(conditions) ORDER BY name LIMIT ?"
    }

    // MARK: - By the PDA

    static func places(_ search: ConnectionSearch) -> String {
        let trouble = search.isForTrouble
        let more = trouble ? ", trouble_code" : ""
        let condition =
            trouble
            ? " AND trouble_code IS NOT NULL AND setup_status IN ('active', '') AND (?8 IS NULL OR trouble_code = ?8)"
                + codes(of: search.health)
            : ""
        return """
            SELECT pda, name FROM (
                SELECT pda, name, plug, setup_status\(more) FROM connection WHERE (pda, name) > (?1, ?2) AND pda < ?3
                ORDER BY pda, name LIMIT \(looked)
            )
            WHERE (?4 IS NULL OR plug = ?4) AND (?5 IS NULL OR setup_status = ?5) AND substr(name, 1, length(?6)) <> ?6
                \(condition)
            LIMIT ?7
            """
    }

    /// The condition of how connections in trouble stand.
    private static func codes(of health: ConnectionHealth?) -> String {
        guard let health else { return "" }
        let codes = ConnectionHealth.codesOfWaiting.map { "'\($0)'" }.joined(separator: ", ")
        return " AND trouble_code \(health == .waiting ? "IN" : "NOT IN") (\(codes))"
    }
    private static let last = """
        SELECT pda, name FROM connection WHERE (pda, name) > (?1, ?2) AND pda < ?3
        ORDER BY pda, name LIMIT 1 OFFSET \(looked - 1)
        """

    /// - Returns: What was found, and where to continue if not everything was examined.
    private func byAddress(
        _ address: String,
        after place: ConnectionSearch.Place?,
        _ limit: Int
    ) throws -> ([ConnectionSearch.Place], stopped: ConnectionSearch.Place?) {
        let within = place.flatMap { $0.pda?.hasPrefix(address) == true ? $0 : nil }
        let range: StatementArguments = [within?.pda ?? address, within?.name ?? "", Self.end(of: address)]
        var rest: StatementArguments = [search.plug, search.status?.rawValue, search.text, limit]
        if search.isForTrouble { rest += [search.code] }
        let found = try Row.fetchAll(database.cachedStatement(sql: Self.places(search)), arguments: range + rest)
            .map { ConnectionSearch.Place(name: $0[1], pda: $0[0]) }
        guard found.count < limit else { return (found, nil) }
        let stopped = try Row.fetchOne(database.cachedStatement(sql: Self.last), arguments: range)
        return (found, stopped.map { ConnectionSearch.Place(name: $0[1], pda: $0[0]) })
    }

    /// The upper bound of everything that begins with a text: no text has a greater character.
    private static func end(of text: String) -> String { text + "\u{10FFFF}" }
}
