/// What counts where nothing is said.
///
/// The limits are those of `plughost run`, and a test holds them against its options.
enum HostDefaults {
    static let port = 22100
    static let listen = "127.0.0.1:22100"
    static let parallel = 64
    static let memory = 160 << 20
    static let outbox = 8 << 20
    static let outboxTotal = 1 << 30
    static let every = Duration.seconds(3600)
    static let zone = "UTC"
    static let runs = 100
}
