import GRDB
import PlugCore
import TestKit
import Testing

@testable import PlugStorage

struct StoreErrorsTests {
    @Test("an error of SQLite is worded once")
    func wordsAreFound() throws {
        let error = try #require(StoreErrors.translate(DatabaseError(resultCode: .SQLITE_FULL)) as? PlugError)
        #expect(error.code == "store-failed" && error.exit == .tryLater)
    }

    @Test("where SQLite cannot open a file because the process may open no more, that is said, and passes")
    func tooManyOpenFiles() {
        let error = DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "unable to open database file")
        #expect(
            StoreErrors.databaseError(error, canOpenMore: { false })
                == PlugError(
                    "store-failed",
                    exit: .tryLater,
                    "the state database cannot be opened because the process may not open more files: unable to open "
                        + "database file (SQLite 14)",
                    advice: "allow it to open more files (ulimit -n, or LimitNOFILE= of its unit), or lower "
                        + "--parallel; nothing is lost"
                )
        )
        let other = StoreErrors.databaseError(error, canOpenMore: { true })
        #expect(other.exit == .configuration)
        let words = "the state database cannot be opened or written: unable to open database file (SQLite 14)"
        #expect(other.message == words)
    }
}
