internal import FoundationEssentials
internal import GRDB
internal import GRDBSQLite

// The statements that every run needs, with SQLite's own parameters and columns. GRDB prepares them and manages the transactions;
// its arguments and rows, designed for any type and lifetime, cost a small run more than SQLite's own work.
extension Database {
    /// Runs a statement to completion. It is prepared once for all calls.
    func run(_ sql: String, _ values: any SQLValue...) throws {
        try step(sql, values) { _ in true }
    }

    /// Runs statements without values or rows, one after another, such as those that create tables.
    func runAll(_ sql: String) throws {
        // sqlite3_exec(3) compiles and forgets one statement at a time. No callback: there are no rows. No error string: the connection
        // keeps the message. After GRDB has closed the connection, the pointer is nil and SQLite answers SQLITE_MISUSE.
        let code = sqlite3_exec(sqliteConnection, sql, nil, nil, nil)
        // GRDB remembers which tables there are.
        clearSchemaCache()
        guard code == SQLITE_OK else { throw failure(code, sql) }
    }

    /// Reads a statement's first row; `nil` if there is none.
    ///
    /// - Parameter read: May use the row only until it returns.
    func first<Value>(_ sql: String, _ values: any SQLValue..., read: (SQLColumns) throws -> Value) throws -> Value? {
        var value: Value?
        try step(sql, values) { columns in
            value = try read(columns)
            return false
        }
        return value
    }

    /// Reads each of a statement's rows; `read` may use the row only until it returns.
    func all<Value>(_ sql: String, _ values: any SQLValue..., read: (SQLColumns) throws -> Value) throws -> [Value] {
        var all: [Value] = []
        try step(sql, values) { columns in
            all.append(try read(columns))
            return true
        }
        return all
    }

    /// Calls `body` with each row, until it returns false.
    private func step(_ sql: String, _ values: [any SQLValue], _ body: (SQLColumns) throws -> Bool) throws {
        // An SQLite handle that belongs to the statement, which GRDB keeps as long as this connection.
        let statement = try cachedStatement(sql: sql)
        let handle = statement.sqliteStatement
        defer {
            // sqlite3_reset returns the last step's error again. No value outlives its call.
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        guard Int(sqlite3_bind_parameter_count(handle)) == values.count else { throw failure(SQLITE_RANGE, sql) }
        for at in values.indices {
            let code = values[at].bind(to: handle, Int32(at + 1))
            guard code == SQLITE_OK else { throw failure(code, sql) }
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: guard try body(SQLColumns(statement: handle)) else { return }
            case SQLITE_DONE: return
            case let code: throw failure(code, sql)
            }
        }
    }

    private func failure(_ code: Int32, _ sql: String) -> DatabaseError {
        // sqlite3_errmsg returns a string owned by the connection, valid until the next call.
        let message = sqliteConnection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
}

/// A value for a statement's parameter.
protocol SQLValue {
    /// Binds a parameter, counted from 1; SQLite makes a copy.
    ///
    /// - Returns: SQLite's code.
    func bind(to statement: OpaquePointer, _ at: Int32) -> Int32
}

/// Makes SQLite copy what it is given (`SQLITE_TRANSIENT`, which is -1 as a function pointer). Proof for
/// the cast: SQLite compares the pointer, and never calls it.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: SQLValue {
    func bind(to statement: OpaquePointer, _ at: Int32) -> Int32 { sqlite3_bind_int64(statement, at, self) }
}

extension Int: SQLValue {
    func bind(to statement: OpaquePointer, _ at: Int32) -> Int32 { sqlite3_bind_int64(statement, at, Int64(self)) }
}

extension Int32: SQLValue {
    func bind(to statement: OpaquePointer, _ at: Int32) -> Int32 { sqlite3_bind_int(statement, at, self) }
}

extension String: SQLValue {
    func bind(to statement: OpaquePointer, _ at: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                // Without an address it would be bound as NULL.
                guard let start = bytes.baseAddress else { return sqlite3_bind_text(statement, at, "", 0, copied) }
                return sqlite3_bind_text(statement, at, start, Int32(bytes.count), copied)
            }
        }
    }
}

extension Data: SQLValue {
    func bind(to statement: OpaquePointer, _ at: Int32) -> Int32 {
        if isEmpty { return sqlite3_bind_zeroblob(statement, at, 0) }
        return withUnsafeBytes { sqlite3_bind_blob(statement, at, $0.baseAddress, Int32($0.count), copied) }
    }
}

/// The columns of a statement's current row.
struct SQLColumns {
    fileprivate let statement: OpaquePointer

    subscript(_ at: Int32) -> Int64 { sqlite3_column_int64(statement, at) }
    subscript(_ at: Int32) -> Int { Int(sqlite3_column_int64(statement, at)) }
    subscript(_ at: Int32) -> Bool { sqlite3_column_int64(statement, at) != 0 }
    subscript(_ at: Int32) -> Int64? { isNull(at) ? nil : sqlite3_column_int64(statement, at) }

    /// A text; empty for NULL.
    subscript(_ at: Int32) -> String {
        // SQLite's own memory, valid until the next step; its length applies to the last requested form.
        guard let bytes = sqlite3_column_text(statement, at) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, at))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    subscript(_ at: Int32) -> String? { isNull(at) ? nil : self[at] as String }

    /// Bytes; empty for NULL.
    subscript(_ at: Int32) -> Data {
        // As with texts; there is no address if there are no bytes.
        guard let bytes = sqlite3_column_blob(statement, at) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, at)))
    }

    subscript(_ at: Int32) -> Data? { isNull(at) ? nil : self[at] as Data }

    private func isNull(_ at: Int32) -> Bool { sqlite3_column_type(statement, at) == SQLITE_NULL }
}
