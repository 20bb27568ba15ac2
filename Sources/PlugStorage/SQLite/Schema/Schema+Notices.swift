extension Schema {
    /// What may need a person's attention. Existing causes count as news when a state is upgraded: no one was notified of them.
    static let version16 = """
        CREATE TABLE notice_cause (
            kind TEXT NOT NULL,                 -- 'reconnect', 'dead-letters', 'plug-failing', 'disk'
            plug TEXT NOT NULL,                 -- '' for the host as a whole
            news INTEGER NOT NULL DEFAULT 0,    -- how much has come since somebody was told
            told_at INTEGER,
            PRIMARY KEY (kind, plug)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO notice_cause (kind, plug, news)
            SELECT 'reconnect', plug, count(*) FROM setup WHERE status = 'reconnect' AND ran_at IS NOT NULL GROUP BY plug;
        INSERT INTO notice_cause (kind, plug, news)
            SELECT 'dead-letters', connection.plug, count(*) FROM dead_letter
            JOIN stream ON stream.id = dead_letter.stream JOIN connection ON connection.id = stream.connection
            GROUP BY connection.plug;
        -- One that is new waits for its person, too, who is about to connect it: that is no news.
        CREATE TRIGGER notice_reconnect AFTER UPDATE OF status ON setup
        WHEN new.status = 'reconnect' AND old.status <> 'reconnect' BEGIN
            INSERT INTO notice_cause (kind, plug, news) VALUES ('reconnect', new.plug, 1)
                ON CONFLICT DO UPDATE SET news = news + 1;
        END;
        CREATE TRIGGER notice_dead_letter AFTER INSERT ON dead_letter BEGIN
            INSERT INTO notice_cause (kind, plug, news)
                SELECT 'dead-letters', connection.plug, 1 FROM stream
                JOIN connection ON connection.id = stream.connection WHERE stream.id = new.stream
                ON CONFLICT DO UPDATE SET news = news + 1;
        END;

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
