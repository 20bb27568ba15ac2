/// Defaults; those of limits are in `HostLimits`.
enum HostDefaults {
    static let port = 22100
    static let listen = "127.0.0.1:22100"
    static let every = Duration.seconds(3600)
    static let zone = "UTC"
    static let runs = 100
}
