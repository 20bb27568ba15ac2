internal import GRDB

extension Schema {
    /// How many runs are summed up in one step, so that migrating a large state needs only bounded memory.
    private static let step: Int64 = 10_000

    /// The source of overviews: sums updated with each change, as counting millions of rows for a page takes too long.
    static func addSummaries(_ database: Database) throws {
        try database.runAll(version15)
        var last: Int64 = 0
        while let next = try lastRun(after: last, database) {
            for sql in [sumsOfRuns, sumsOfVersions] { try database.execute(sql: sql, arguments: [last, next]) }
            last = next
        }
        try database.runAll(sumsOfAll)
    }

    private static func lastRun(after last: Int64, _ database: Database) throws -> Int64? {
        let sql = "SELECT max(id) FROM (SELECT id FROM run WHERE id > ? ORDER BY id LIMIT \(step))"
        return try Int64.fetchOne(database, sql: sql, arguments: [last])
    }

    private static let version15 = """
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

        ALTER TABLE connection ADD COLUMN setup_status TEXT NOT NULL DEFAULT ''; -- its set-up's; '' without one
        UPDATE connection SET setup_status = coalesce((SELECT status FROM setup WHERE setup.connection = connection.id), '');
        CREATE INDEX connection_status ON connection (setup_status, name);
        CREATE INDEX connection_plug ON connection (plug, setup_status, name);
        CREATE INDEX connection_address ON connection (pda, name, plug, setup_status);

        CREATE TABLE connection_count (
            plug TEXT NOT NULL,
            status TEXT NOT NULL,
            connections INTEGER NOT NULL,
            PRIMARY KEY (plug, status)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO connection_count SELECT plug, setup_status, count(*) FROM connection GROUP BY 1, 2;
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
        CREATE TRIGGER setup_added AFTER INSERT ON setup BEGIN
            UPDATE connection SET setup_status = new.status WHERE id = new.connection;
        END;
        CREATE TRIGGER setup_changed AFTER UPDATE OF status ON setup WHEN old.status <> new.status BEGIN
            UPDATE connection SET setup_status = new.status WHERE id = new.connection;
        END;
        CREATE TRIGGER setup_removed AFTER DELETE ON setup BEGIN
            UPDATE connection SET setup_status = '' WHERE id = old.connection;
        END;

        CREATE TABLE outbox_hour (
            hour INTEGER PRIMARY KEY,           -- in which the batches were queued
            batches INTEGER NOT NULL,
            records INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;
        INSERT INTO outbox_hour
            SELECT at / 3600000000, count(*), coalesce(sum(records), 0), sum(size) FROM outbox GROUP BY 1;
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
        """

    /// The results of runs by earlier versions are only in their sealed reports: for these runs there are only counts and times.
    private static let sumsOfRuns = """
        INSERT INTO run_sum
        SELECT plug, ended_at / 3600000000, outcome, count(*), 0, 0, 0, sum(max(0, ended_at - at))
        FROM run JOIN connection ON connection.id = run.connection
        WHERE run.id > ? AND run.id <= ? AND ended_at IS NOT NULL AND outcome IS NOT NULL GROUP BY 1, 2, 3
        ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, microseconds = microseconds + excluded.microseconds
        """
    private static let sumsOfVersions = """
        INSERT INTO plug_version
        SELECT plug, version, count(*), sum(outcome = 'failed'), min(at), max(at)
        FROM run JOIN connection ON connection.id = run.connection
        WHERE run.id > ? AND run.id <= ? AND ended_at IS NOT NULL AND outcome IS NOT NULL GROUP BY 1, 2
        ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, failed = failed + excluded.failed,
            first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)
        """
    private static let sumsOfAll = """
        INSERT INTO run_sum SELECT '', hour, outcome, sum(runs), 0, 0, 0, sum(microseconds)
        FROM run_sum WHERE plug <> '' GROUP BY hour, outcome
        """
}
