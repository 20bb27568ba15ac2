extension Schema {
    /// What keeps connections from making progress. What runs of earlier versions ended with is sealed: the next run says it.
    static let version17 = """
        ALTER TABLE connection ADD COLUMN trouble_code TEXT;     -- NULL where the last run that counts went well
        ALTER TABLE connection ADD COLUMN trouble_since INTEGER;
        ALTER TABLE connection ADD COLUMN trouble_runs INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE connection ADD COLUMN trouble_lasts INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX connection_trouble ON connection (name, plug, setup_status, trouble_code)
            WHERE trouble_code IS NOT NULL;
        CREATE INDEX connection_trouble_code ON connection (trouble_code, name, plug, setup_status)
            WHERE trouble_code IS NOT NULL;
        -- Whatever a person or an operator has done about it counts: the next run tells.
        CREATE TRIGGER trouble_ended AFTER UPDATE OF status ON setup
        WHEN new.status = 'active' AND old.status <> 'active' BEGIN
            UPDATE connection SET trouble_code = NULL, trouble_since = NULL, trouble_runs = 0, trouble_lasts = 0
                WHERE id = new.connection AND trouble_code IS NOT NULL;
        END;
        CREATE TRIGGER notice_stuck AFTER UPDATE OF trouble_lasts ON connection
        WHEN new.trouble_lasts = 1 AND old.trouble_lasts = 0 AND new.setup_status = 'active' BEGIN
            INSERT INTO notice_cause (kind, plug, news) VALUES ('stuck', new.plug, 1)
                ON CONFLICT DO UPDATE SET news = news + 1;
        END;
        """
}
