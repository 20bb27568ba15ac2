/// Every family of metrics that a host shows at `/metrics`.
///
/// Labels name plugs, outcomes and kinds, which are few and known; never a connection, a person or a PDA.
package enum HostMetrics {
    /// Bounds in seconds for durations from milliseconds to minutes.
    private static let requestBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
    private static let runBounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600]
    private static let latenessBounds = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400]
    private static let commitBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

    /// The program's version.
    package static let build = MetricFamily(
        "plughost_build_info",
        .gauge,
        labels: ["version"],
        help: "1; the label says which version runs."
    )
    /// Runs that have ended.
    package static let runs = MetricFamily(
        "plughost_runs_total",
        .counter,
        labels: ["plug", "outcome"],
        help: "Runs that have ended: done, partial, failed, interrupted, or not_begun."
    )
    /// Errors of runs, by code.
    package static let runErrors = MetricFamily(
        "plughost_run_errors_total",
        .counter,
        labels: ["plug", "code"],
        help: "Errors of runs by their code, which 'plughost explain CODE' explains."
    )
    /// Durations of runs.
    package static let runDuration = MetricFamily(
        "plughost_run_duration_seconds",
        .histogram(bounds: runBounds),
        labels: ["plug"],
        help: "How long runs took."
    )
    /// Delays of runs' starts.
    package static let lateness = MetricFamily(
        "plughost_run_lateness_seconds",
        .histogram(bounds: latenessBounds),
        help: "Time from when a connection was due until its run began."
    )
    /// Runs in progress.
    package static let activeRuns = MetricFamily("plughost_runs_active", .gauge, help: "Runs that are under way.")
    /// Outcomes of records.
    package static let records = MetricFamily(
        "plughost_records_total",
        .counter,
        labels: ["plug", "fate"],
        help: "Records by outcome: delivered, known, duplicate, dead_letter, queued, undelivered."
    )
    /// Bytes of sources' responses.
    package static let received = MetricFamily(
        "plughost_source_received_bytes_total",
        .counter,
        labels: ["plug"],
        help: "Bytes of the sources' answers, decompressed."
    )
    /// Bytes sent to PDAs.
    package static let sent = MetricFamily(
        "plughost_pda_sent_bytes_total",
        .counter,
        labels: ["plug"],
        help: "Bytes of records sent to PDAs."
    )
    /// Durations of requests.
    package static let requests = MetricFamily(
        "plughost_request_duration_seconds",
        .histogram(bounds: requestBounds),
        labels: ["side", "status"],
        help: "How long requests to sources and PDAs took, by the class of their status, or 'none' without an answer."
    )
    /// Durations of writes to the store.
    package static let commits = MetricFamily(
        "plughost_commit_duration_seconds",
        .histogram(bounds: commitBounds),
        help: "How long transactions of the store took until they were on the disk."
    )
    /// Connections by status.
    package static let connections = MetricFamily(
        "plughost_connections",
        .gauge,
        labels: ["state"],
        help: "Connections: active, paused, reconnect (their person has to connect again), disabled (by their PDA)."
    )
    /// Active connections that have waited longer than they should.
    package static let overdue = MetricFamily(
        "plughost_connections_overdue",
        .gauge,
        help: "Active connections that have been due for more than a minute and are not running."
    )
    /// The longest wait among due connections.
    package static let oldestDue = MetricFamily(
        "plughost_oldest_due_seconds",
        .gauge,
        help: "How long the connection that has waited longest has been due."
    )
    /// Batches in the outbox.
    package static let outboxBatches = MetricFamily(
        "plughost_outbox_batches",
        .gauge,
        help: "Batches that wait for their PDA."
    )
    /// Records in the outbox.
    package static let outboxRecords = MetricFamily(
        "plughost_outbox_records",
        .gauge,
        help: "Records that wait for their PDA."
    )
    /// Bytes in the outbox.
    package static let outboxBytes = MetricFamily(
        "plughost_outbox_bytes",
        .gauge,
        help: "Bytes that wait for their PDA."
    )
    /// The age of the oldest batch.
    package static let outboxAge = MetricFamily(
        "plughost_outbox_oldest_seconds",
        .gauge,
        help: "For how long the oldest batch has waited; 0 without any."
    )
    /// Dead letters.
    package static let deadLetters = MetricFamily(
        "plughost_dead_letters",
        .gauge,
        help: "Records that were refused for good and are kept."
    )
    /// Failures of the store.
    package static let storeFailures = MetricFamily(
        "plughost_store_failures_total",
        .counter,
        help: "Times that the state could not be read or written."
    )

    /// Outcomes of notices.
    package static let notices = MetricFamily(
        "plughost_notices_total",
        .counter,
        labels: ["target", "result"],
        help: "Attempts to send a notice to a target of 'notify': sent, failed (retried later), dropped."
    )
    /// Notices that wait.
    package static let noticesWaiting = MetricFamily(
        "plughost_notices_waiting",
        .gauge,
        help: "Notices that wait for their target."
    )
    /// The age of the oldest notice.
    package static let noticeAge = MetricFamily(
        "plughost_notices_oldest_seconds",
        .gauge,
        help: "For how long the oldest notice has waited for its target; 0 without any."
    )

    /// All families, in the order in which they are shown.
    package static let all =
        [
            build, runs, runErrors, runDuration, lateness, activeRuns, records, received, sent, requests, commits,
            connections, overdue, oldestDue, outboxBatches, outboxRecords, outboxBytes, outboxAge, deadLetters,
            storeFailures, notices, noticesWaiting, noticeAge,
        ] + ProcessFigures.families
}
