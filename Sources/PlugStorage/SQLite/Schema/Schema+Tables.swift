/// The tables as they are now, with which a new state begins. Every change here also needs a migration in `Schema.swift`; a test
/// compares the two.
extension Schema {
    static let tables = tablesOfConnections + tablesOfTheHost

    /// Connections, their streams and records.
    private static let tablesOfConnections = """
        CREATE TABLE host_key (
            id TEXT PRIMARY KEY,                -- names the key, does not give it away
            created_at INTEGER NOT NULL,
            file TEXT                           -- where a person has put the key; NULL for the usual place
        ) STRICT;

        CREATE TABLE connection (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            plug TEXT NOT NULL,
            pda TEXT NOT NULL,
            created_at INTEGER NOT NULL,        -- all times are microseconds since 1970
            setup_status TEXT NOT NULL DEFAULT '' -- its set-up's; '' without one
        ) STRICT;
        CREATE INDEX connection_pda ON connection (pda, plug);
        CREATE INDEX connection_status ON connection (setup_status, name);
        CREATE INDEX connection_plug ON connection (plug, setup_status, name);
        CREATE INDEX connection_address ON connection (pda, name, plug, setup_status);

        CREATE TRIGGER connection_added AFTER INSERT ON connection BEGIN
            INSERT INTO connection_count VALUES (new.plug, new.setup_status, 1)
                ON CONFLICT DO UPDATE SET connections = connections + 1;
        END;

        CREATE TRIGGER connection_removed AFTER DELETE ON connection BEGIN
            UPDATE connection_count SET connections = connections - 1 WHERE plug = old.plug AND status = old.setup_status;
        END;

        CREATE TRIGGER connection_changed AFTER UPDATE OF setup_status ON connection WHEN old.setup_status <> new.setup_status BEGIN
            UPDATE connection_count SET connections = connections - 1 WHERE plug = old.plug AND status = old.setup_status;
            INSERT INTO connection_count VALUES (new.plug, new.setup_status, 1)
                ON CONFLICT DO UPDATE SET connections = connections + 1;
        END;

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

        -- Grants from sources to connections.
        CREATE TABLE vault (
            connection INTEGER NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            name TEXT NOT NULL,                 -- 'oauth2', 'login'
            version INTEGER NOT NULL,           -- grows with each change: a comparison with it is part of each write
            sealed BLOB NOT NULL,
            renew_at INTEGER,                   -- when it is refreshed though no run needs it; NULL for never
            renew_tries INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (connection, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX vault_renewal ON vault (renew_at) WHERE renew_at IS NOT NULL;

        CREATE TABLE stream (
            id INTEGER PRIMARY KEY,
            connection INTEGER NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            pass INTEGER NOT NULL DEFAULT 1,
            profile BLOB,                       -- sealed; NULL until there is something to know
            UNIQUE (connection, name)
        ) STRICT;

        CREATE TABLE state (
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            part BLOB NOT NULL,                 -- a keyed hash: parts are named by parents, which may be private
            sealed BLOB NOT NULL,
            met INTEGER NOT NULL DEFAULT 0,     -- a pass in which its parent was listed
            PRIMARY KEY (stream, part)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE ledger (
            id INTEGER PRIMARY KEY,
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            pass INTEGER NOT NULL,
            packed BLOB NOT NULL                -- 16 bytes of a keyed hash for each record of one batch
        ) STRICT;
        CREATE INDEX ledger_stream ON ledger (stream, pass);

        -- What each pass has found, for streams that detect deletions by comparing two passes.
        CREATE TABLE inventory (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            pass INTEGER NOT NULL,
            sealed BLOB NOT NULL                -- the things of one batch, by name
        ) STRICT;
        CREATE INDEX inventory_stream ON inventory (stream, pass);

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
            sealed BLOB NOT NULL,
            mark BLOB                           -- a keyed hash: one record is one letter, however often it is read
        ) STRICT;
        CREATE INDEX dead_letter_stream ON dead_letter (stream);
        CREATE UNIQUE INDEX dead_letter_mark ON dead_letter (stream, mark) WHERE mark IS NOT NULL;

        CREATE TRIGGER dead_letter_added AFTER INSERT ON dead_letter BEGIN
            UPDATE total SET rows = rows + 1, bytes = bytes + length(new.sealed) WHERE name = 'dead_letter';
        END;

        CREATE TRIGGER dead_letter_removed AFTER DELETE ON dead_letter BEGIN
            UPDATE total SET rows = rows - 1, bytes = bytes - length(old.sealed) WHERE name = 'dead_letter';
        END;

        CREATE TRIGGER dead_letter_renewed AFTER UPDATE OF sealed ON dead_letter BEGIN
            UPDATE total SET bytes = bytes - length(old.sealed) + length(new.sealed) WHERE name = 'dead_letter';
        END;

        CREATE TRIGGER notice_dead_letter AFTER INSERT ON dead_letter BEGIN
            INSERT INTO notice_cause (kind, plug, news)
                SELECT 'dead-letters', connection.plug, 1 FROM stream
                JOIN connection ON connection.id = stream.connection WHERE stream.id = new.stream
                ON CONFLICT DO UPDATE SET news = news + 1;
        END;

        -- What the limits need: the amount of dead letters.
        CREATE TABLE total (
            name TEXT PRIMARY KEY,              -- 'dead_letter'
            rows INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        INSERT INTO total VALUES ('dead_letter', 0, 0);

        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            stream INTEGER NOT NULL REFERENCES stream(id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            size INTEGER NOT NULL,              -- bytes of the batch, for the bounds
            sealed BLOB NOT NULL,
            records INTEGER,                    -- NULL for batches of earlier versions
            unanswered INTEGER NOT NULL DEFAULT 0 -- times, while the PDA took others
        ) STRICT;
        CREATE INDEX outbox_stream ON outbox (stream);
        -- How much waits on the host is asked for each page that is queued.
        CREATE INDEX outbox_size ON outbox (size);
        -- It contains every queried column, as a column after a long one can only be reached by reading that.
        CREATE INDEX outbox_waiting ON outbox (stream, at, size, records, unanswered);

        CREATE TRIGGER outbox_added AFTER INSERT ON outbox BEGIN
            INSERT INTO outbox_hour VALUES (new.at / 3600000000, 1, coalesce(new.records, 0), new.size)
                ON CONFLICT DO UPDATE SET batches = batches + 1, records = records + excluded.records,
                    bytes = bytes + excluded.bytes;
        END;

        CREATE TRIGGER outbox_removed AFTER DELETE ON outbox BEGIN
            UPDATE outbox_hour SET batches = batches - 1, records = records - coalesce(old.records, 0),
                bytes = bytes - old.size WHERE hour = old.at / 3600000000;
            DELETE FROM outbox_hour WHERE hour = old.at / 3600000000 AND batches <= 0;
        END;

        CREATE TRIGGER outbox_changed AFTER UPDATE OF size, records ON outbox BEGIN
            UPDATE outbox_hour SET records = records + coalesce(new.records, 0) - coalesce(old.records, 0),
                bytes = bytes + new.size - old.size WHERE hour = new.at / 3600000000;
        END;

        -- How much waits, by the hour in which it was queued: counting it for each page takes too long.
        CREATE TABLE outbox_hour (
            hour INTEGER PRIMARY KEY,           -- in which the batches were queued
            batches INTEGER NOT NULL,
            records INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;

        """
}
