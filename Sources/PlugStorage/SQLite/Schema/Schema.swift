internal import GRDB
internal import PlugCore

/// The tables. A new database gets all of them in one transaction; an older one gets one migration for each version, each in a
/// transaction of its own. A published migration is never changed.
enum Schema {
    /// The value in the header of plughost's databases (`PRAGMA application_id`): "plug".
    static let applicationID = 0x706C_7567

    /// What each version does to the tables of the one before it.
    private static let versions: [@Sendable (Database) throws -> Void] = [
        { database in
            try database.runAll("PRAGMA application_id = \(applicationID)")
            try database.runAll(version1)
        },
        { try $0.runAll(version2) },
        { try $0.runAll(version3) },
        { try $0.runAll(version4) },
        { try $0.runAll(version5) },
        { try $0.runAll(version6) },
        { try $0.runAll(version7) },
        { try $0.runAll(version8) },
        { try $0.runAll(version9) },
        { try $0.runAll(version10) },
        { try $0.runAll(version11) },
        { try $0.runAll(version12) },
        { try $0.runAll(version13) },
        { try $0.runAll(version14) },
        addSummaries,
        { try $0.runAll(version16) },
        { try $0.runAll(version17) },
    ]

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        for (at, version) in versions.enumerated() { migrator.registerMigration("\(at + 1)", migrate: version) }
        return migrator
    }()

    /// Creates the tables in a database that has none, in one transaction: the migrations would wait for the disk one by one.
    static func create(in database: Database) throws {
        let done = (1...versions.count).map { "('\($0)')" }.joined(separator: ", ")
        try database.inTransaction(.immediate) {
            for version in versions { try version(database) }
            // GRDB's own table, as its migrator makes it; a process that was killed may have left it empty.
            try database.runAll(
                """
                CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                INSERT INTO grdb_migrations VALUES \(done);
                """
            )
            return .commit
        }
    }

    /// The content of a database, before anything is done with it.
    enum Content { case nothing, current, older }

    /// Examines a database; one that is not plughost's, or was written by a newer plughost, is refused.
    static func content(of database: Database) throws -> Content {
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return .nothing }
        if try migrator.hasCompletedMigrations(database) {
            guard try !migrator.hasBeenSuperseded(database) else {
                throw PlugError(
                    .stateNewer,
                    "the state was written by a newer plughost",
                    advice: "use that version, or another folder with --state DIR"
                )
            }
            return .current
        }
        // GRDB begins by creating its own table, so a crash at that moment leaves a database without our mark.
        let tables = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name NOT LIKE 'grdb_%'"
        )
        if tables == 0 { return .nothing }
        guard try Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            throw PlugError(
                .stateForeign,
                "plughost.db is not a plughost database",
                advice: "use another folder with --state DIR"
            )
        }
        return .older
    }

    private static let version1 = """
        CREATE TABLE host_key (
            id TEXT PRIMARY KEY,                -- names the key, does not give it away
            created_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE connection (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            plug TEXT NOT NULL,
            pda TEXT NOT NULL,
            created_at INTEGER NOT NULL         -- all times are microseconds since 1970
        ) STRICT;

        CREATE TABLE data_key (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection INTEGER NOT NULL UNIQUE REFERENCES connection(id) ON DELETE CASCADE,
            host_key TEXT NOT NULL REFERENCES host_key(id),
            wrapped BLOB NOT NULL
        ) STRICT;

        CREATE TABLE token (
            connection INTEGER PRIMARY KEY REFERENCES connection(id) ON DELETE CASCADE,
            issued_at INTEGER NOT NULL,         -- seconds since 1970, as in the token
            sealed BLOB NOT NULL
        ) STRICT;

        CREATE TABLE stream (
            id INTEGER PRIMARY KEY,
            connection INTEGER NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            pass INTEGER NOT NULL DEFAULT 1,
            UNIQUE (connection, name)
        ) STRICT;

        CREATE TABLE state (
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            part BLOB NOT NULL,                 -- a keyed hash: parts are named by parents, which may be private
            sealed BLOB NOT NULL,
            PRIMARY KEY (stream, part)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ledger (
            id INTEGER PRIMARY KEY,
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            pass INTEGER NOT NULL,
            packed BLOB NOT NULL                -- 16 bytes of a keyed hash for each record of one batch
        ) STRICT;
        CREATE INDEX ledger_stream ON ledger (stream, pass);

        CREATE TABLE refusal (
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            fingerprint BLOB NOT NULL,
            runs INTEGER NOT NULL,
            PRIMARY KEY (stream, fingerprint)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE dead_letter (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            sealed BLOB NOT NULL
        ) STRICT;
        CREATE INDEX dead_letter_stream ON dead_letter (stream);

        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            size INTEGER NOT NULL,              -- bytes of the batch, for the bounds
            sealed BLOB NOT NULL
        ) STRICT;
        CREATE INDEX outbox_stream ON outbox (stream);

        CREATE TABLE run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection INTEGER NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            version TEXT NOT NULL,
            at INTEGER NOT NULL,
            ended_at INTEGER,
            outcome TEXT,
            sealed_report BLOB                  -- it names page places
        ) STRICT;
        CREATE INDEX run_connection ON run (connection);
        """

    /// What is remembered about servers, independently of any connection.
    private static let version2 = """
        CREATE TABLE server_note (
            name BLOB PRIMARY KEY,              -- a keyed hash: a note may be about a person's PDA
            expires_at INTEGER NOT NULL,
            sealed BLOB NOT NULL                -- with the host's key
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX outbox_size ON outbox (size);  -- how much waits on the host is asked for each page that is queued
        """

    /// The last holder of each connection's lease. Only the lock shows whether the lease is still held.
    private static let version3 = """
        CREATE TABLE lease (
            connection INTEGER PRIMARY KEY REFERENCES connection(id) ON DELETE CASCADE,
            pid INTEGER NOT NULL,
            at INTEGER NOT NULL,
            command TEXT NOT NULL
        ) STRICT;
        """

    /// What the limits need: the amount of dead letters, and when a part was last met.
    private static let version4 = """
        CREATE TABLE total (
            name TEXT PRIMARY KEY,              -- 'dead_letter'
            rows INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO total SELECT 'dead_letter', count(*), coalesce(sum(length(sealed)), 0) FROM dead_letter;
        CREATE TRIGGER dead_letter_added AFTER INSERT ON dead_letter BEGIN
            UPDATE total SET rows = rows + 1, bytes = bytes + length(new.sealed) WHERE name = 'dead_letter';
        END;
        CREATE TRIGGER dead_letter_removed AFTER DELETE ON dead_letter BEGIN
            UPDATE total SET rows = rows - 1, bytes = bytes - length(old.sealed) WHERE name = 'dead_letter';
        END;
        CREATE TRIGGER dead_letter_renewed AFTER UPDATE OF sealed ON dead_letter BEGIN
            UPDATE total SET bytes = bytes - length(old.sealed) + length(new.sealed) WHERE name = 'dead_letter';
        END;

        ALTER TABLE state ADD COLUMN met INTEGER NOT NULL DEFAULT 0;  -- a pass in which its parent was listed
        UPDATE state SET met = (SELECT pass FROM stream WHERE stream.id = state.stream);
        """

    /// How much waits, and what of it gets no answer, without opening a batch: the index contains every queried column, as a
    /// column after a long one can only be reached by reading that.
    private static let version5 = """
        ALTER TABLE outbox ADD COLUMN records INTEGER;  -- NULL for batches of earlier versions
        ALTER TABLE outbox ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0;  -- times, while the PDA took others
        CREATE INDEX outbox_waiting ON outbox (stream, at, size, records, unanswered);

        ALTER TABLE dead_letter ADD COLUMN mark BLOB;   -- a keyed hash: one record is one letter, however often it is read
        CREATE UNIQUE INDEX dead_letter_mark ON dead_letter (stream, mark) WHERE mark IS NOT NULL;
        """

    /// Grants from sources to connections.
    private static let version6 = """
        CREATE TABLE vault (
            connection INTEGER NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            name TEXT NOT NULL,                 -- 'oauth2', 'login'
            version INTEGER NOT NULL,           -- grows with each change: a comparison with it is part of each write
            sealed BLOB NOT NULL,
            PRIMARY KEY (connection, name)
        ) STRICT, WITHOUT ROWID;
        """

    /// What each pass has found, for streams that detect deletions by comparing two passes.
    private static let version7 = """
        CREATE TABLE inventory (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            pass INTEGER NOT NULL,
            sealed BLOB NOT NULL                -- the things of one batch, by name
        ) STRICT;
        CREATE INDEX inventory_stream ON inventory (stream, pass);
        """

    /// What runs have learnt about streams.
    private static let version8 = """
        ALTER TABLE stream ADD COLUMN profile BLOB; -- sealed; NULL until there is something to know
        """

    /// What a host runs automatically.
    private static let version9 = """
        CREATE TABLE setup (
            connection INTEGER PRIMARY KEY REFERENCES connection(id) ON DELETE CASCADE,
            status TEXT NOT NULL,               -- 'active', 'paused', 'reconnect', 'disabled'
            due_at INTEGER,                     -- while it is claimed, when the claim ends
            claimed INTEGER,                    -- when it was due; NULL while nobody has claimed it
            ran_at INTEGER,                     -- when the last run that counts began
            epoch INTEGER NOT NULL,             -- grows with each claim and each change
            sealed BLOB NOT NULL
        ) STRICT;
        CREATE INDEX setup_due ON setup (due_at) WHERE status = 'active' AND due_at IS NOT NULL;
        CREATE INDEX setup_claimed ON setup (connection) WHERE claimed IS NOT NULL;

        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection INTEGER NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            who TEXT NOT NULL,
            what TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_connection ON audit (connection);
        """

    /// Whose turn it is among due connections: plugs share a host's places, and the longest waiting goes first.
    private static let version10 = """
        ALTER TABLE setup ADD COLUMN plug TEXT NOT NULL DEFAULT '';      -- the connection's, which never changes
        ALTER TABLE setup ADD COLUMN waits_since INTEGER NOT NULL DEFAULT 0; -- the first due time that was not served
        ALTER TABLE setup ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;  -- hosts in a row that died while it ran
        ALTER TABLE setup ADD COLUMN planned INTEGER NOT NULL DEFAULT 0; -- whether due_at is a time of its schedule
        UPDATE setup SET plug = (SELECT plug FROM connection WHERE connection.id = setup.connection),
            waits_since = coalesce(claimed, due_at, 0);
        DROP INDEX setup_due;
        CREATE INDEX setup_turn ON setup (plug, due_at, waits_since) WHERE status = 'active' AND due_at IS NOT NULL;

        CREATE TABLE retention (
            name TEXT PRIMARY KEY,              -- 'runs', 'dead_letters', 'outbox'
            count INTEGER,                      -- so many of the newest
            age INTEGER                         -- those that are no older, in microseconds
        ) STRICT, WITHOUT ROWID;
        """

    /// Work that must be done without being requested: grants are used before they expire unused, and a change of the host's key
    /// is completed.
    private static let version11 = """
        ALTER TABLE vault ADD COLUMN renew_at INTEGER;  -- when it is refreshed though no run needs it; NULL for never
        ALTER TABLE vault ADD COLUMN renew_tries INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX vault_renewal ON vault (renew_at) WHERE renew_at IS NOT NULL;

        ALTER TABLE host_key ADD COLUMN file TEXT;      -- where a person has put the key; NULL for the usual place
        """

    /// Pending requests to people in a browser, and how a PDA's connections are found.
    private static let version12 = """
        CREATE TABLE consent (
            id INTEGER PRIMARY KEY,
            name BLOB NOT NULL UNIQUE,          -- a hash of its state
            session BLOB NOT NULL,              -- a hash of the browser's session
            connection INTEGER REFERENCES connection(id) ON DELETE CASCADE,
            ends_at INTEGER NOT NULL,
            poll_at INTEGER,                    -- when its service is asked next
            version INTEGER NOT NULL,           -- grows with each change
            sealed BLOB                         -- with the host's key; NULL once it was answered
        ) STRICT;
        CREATE INDEX consent_session ON consent (session);
        CREATE INDEX consent_end ON consent (ends_at);
        CREATE INDEX consent_connection ON consent (connection);
        CREATE INDEX consent_poll ON consent (poll_at) WHERE poll_at IS NOT NULL;

        CREATE INDEX connection_pda ON connection (pda, plug);
        """

    /// Who may use the host's pages and its API. Secrets are stored only as SHA-256.
    private static let version13 = """
        CREATE TABLE session (
            hash BLOB PRIMARY KEY,
            role TEXT NOT NULL,                 -- 'person', 'operator'
            subject TEXT NOT NULL,              -- the origin of a PDA, or an operator's name
            created_at INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,           -- where it is not used before
            lasts_until INTEGER NOT NULL        -- whatever happens
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX session_subject ON session (role, subject);
        CREATE INDEX session_end ON session (min(ends_at, lasts_until));

        CREATE TABLE api_key (
            name TEXT PRIMARY KEY,
            hash BLOB NOT NULL UNIQUE,
            scopes TEXT NOT NULL,               -- with spaces between them
            created_at INTEGER NOT NULL,
            used_at INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE one_time_link (
            hash BLOB PRIMARY KEY,
            role TEXT NOT NULL,
            subject TEXT NOT NULL,
            ends_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Who has given whom access: changes that concern no single connection.
    private static let version14 = """
        CREATE TABLE host_audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            who TEXT NOT NULL,
            what TEXT NOT NULL
        ) STRICT;
        """
}

extension Database {
    /// The id of the next row in an `AUTOINCREMENT` table: a sealed value is bound to it before it is written.
    ///
    /// Only the writer may call it, inside the transaction that inserts.
    func nextID(of table: String) throws -> Int64 {
        try first("SELECT seq FROM sqlite_sequence WHERE name = ?", table) { $0[0] as Int64 }.map { $0 + 1 } ?? 1
    }

    /// Deletes the rows with these ids.
    ///
    /// - Returns: How many of them there were.
    func delete(_ ids: [Int64], from table: String) throws -> Int {
        let statement = try cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?")
        var deleted = 0
        for id in ids {
            try statement.execute(arguments: [id])
            deleted += changesCount
        }
        return deleted
    }
}
