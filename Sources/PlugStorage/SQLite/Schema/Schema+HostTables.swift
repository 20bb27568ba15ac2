extension Schema {
    /// Runs, what is due, who may do what, and what the operator is told.
    static let tablesOfTheHost = """
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

        -- What servers' answers have said about the servers, for all connections.
        CREATE TABLE server_note (
            name BLOB PRIMARY KEY,              -- a keyed hash: a note may be about a person's PDA
            expires_at INTEGER NOT NULL,
            sealed BLOB NOT NULL                -- with the host's key
        ) STRICT, WITHOUT ROWID;

        -- The last holder of each connection's lease. Only the lock shows whether the lease is still held.
        CREATE TABLE lease (
            connection INTEGER PRIMARY KEY REFERENCES connection(id) ON DELETE CASCADE,
            pid INTEGER NOT NULL,
            at INTEGER NOT NULL,
            command TEXT NOT NULL
        ) STRICT;

        -- What a host runs automatically.
        CREATE TABLE setup (
            connection INTEGER PRIMARY KEY REFERENCES connection(id) ON DELETE CASCADE,
            status TEXT NOT NULL,               -- 'active', 'paused', 'reconnect', 'disabled'
            due_at INTEGER,                     -- while it is claimed, when the claim ends
            claimed INTEGER,                    -- when it was due; NULL while nobody has claimed it
            ran_at INTEGER,                     -- when the last run that counts began
            epoch INTEGER NOT NULL,             -- grows with each claim and each change
            sealed BLOB NOT NULL,
            plug TEXT NOT NULL DEFAULT '',      -- the connection's, which never changes
            waits_since INTEGER NOT NULL DEFAULT 0, -- the first due time that was not served
            deaths INTEGER NOT NULL DEFAULT 0,  -- hosts in a row that died while it ran
            planned INTEGER NOT NULL DEFAULT 0  -- whether due_at is a time of its schedule
        ) STRICT;
        CREATE INDEX setup_claimed ON setup (connection) WHERE claimed IS NOT NULL;
        CREATE INDEX setup_turn ON setup (plug, due_at, waits_since) WHERE status = 'active' AND due_at IS NOT NULL;

        CREATE TRIGGER setup_added AFTER INSERT ON setup BEGIN
            UPDATE connection SET setup_status = new.status WHERE id = new.connection;
        END;

        CREATE TRIGGER setup_changed AFTER UPDATE OF status ON setup WHEN old.status <> new.status BEGIN
            UPDATE connection SET setup_status = new.status WHERE id = new.connection;
        END;

        CREATE TRIGGER setup_removed AFTER DELETE ON setup BEGIN
            UPDATE connection SET setup_status = '' WHERE id = old.connection;
        END;

        -- One that is new waits for its person, too, who is about to connect it: that is no news.
        CREATE TRIGGER notice_reconnect AFTER UPDATE OF status ON setup
        WHEN new.status = 'reconnect' AND old.status <> 'reconnect' BEGIN
            INSERT INTO notice_cause (kind, plug, news) VALUES ('reconnect', new.plug, 1)
                ON CONFLICT DO UPDATE SET news = news + 1;
        END;

        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            connection INTEGER NOT NULL REFERENCES connection(id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            who TEXT NOT NULL,
            what TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_connection ON audit (connection);

        CREATE TABLE retention (
            name TEXT PRIMARY KEY,              -- 'runs', 'dead_letters', 'outbox'
            count INTEGER,                      -- so many of the newest
            age INTEGER                         -- those that are no older, in microseconds
        ) STRICT, WITHOUT ROWID;

        -- Pending requests to people in a browser.
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

        -- Who may use the pages; secrets are stored only as SHA-256, also those of keys and links.
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

        -- Who has given whom access: changes that concern no single connection.
        CREATE TABLE host_audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            who TEXT NOT NULL,
            what TEXT NOT NULL
        ) STRICT;

        -- Sums for overviews, updated with each change: counting millions of rows for a page takes too long.
        CREATE TABLE run_sum (
            plug TEXT NOT NULL,                 -- '' for all of them together
            hour INTEGER NOT NULL,              -- in which the runs ended, counted since 1970
            outcome TEXT NOT NULL,
            runs INTEGER NOT NULL,
            requests INTEGER NOT NULL,
            records INTEGER NOT NULL,
            dead_letters INTEGER NOT NULL,
            microseconds INTEGER NOT NULL,      -- that they took, together
            PRIMARY KEY (plug, hour, outcome)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE run_error (
            plug TEXT NOT NULL,
            hour INTEGER NOT NULL,
            code TEXT NOT NULL,                 -- of the error that ended the runs
            runs INTEGER NOT NULL,
            PRIMARY KEY (plug, hour, code)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE plug_version (
            plug TEXT NOT NULL,
            version TEXT NOT NULL,
            runs INTEGER NOT NULL,
            failed INTEGER NOT NULL,
            first_at INTEGER NOT NULL,
            last_at INTEGER NOT NULL,
            PRIMARY KEY (plug, version)
        ) STRICT, WITHOUT ROWID;

        -- The connections of each plug and status, likewise.
        CREATE TABLE connection_count (
            plug TEXT NOT NULL,
            status TEXT NOT NULL,
            connections INTEGER NOT NULL,
            PRIMARY KEY (plug, status)
        ) STRICT, WITHOUT ROWID;

        -- What needs a person, and who was told.
        CREATE TABLE notice_cause (
            kind TEXT NOT NULL,                 -- 'reconnect', 'dead-letters', 'plug-failing', 'disk'
            plug TEXT NOT NULL,                 -- '' for the host as a whole
            news INTEGER NOT NULL DEFAULT 0,    -- how much has come since somebody was told
            told_at INTEGER,
            PRIMARY KEY (kind, plug)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE notice (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,                   -- the same for all targets
            target TEXT NOT NULL,
            at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,            -- while it is claimed, when the claim ends
            tries INTEGER NOT NULL DEFAULT 0,
            content TEXT NOT NULL,              -- plugs and counts: it names no connection
            failure TEXT                        -- why the last try was in vain
        ) STRICT;
        CREATE INDEX notice_due ON notice (due_at);
        CREATE INDEX notice_target ON notice (target, number);

        """
}
