/// How much one request may take.
enum RequestLimits {
    /// Bytes of a body.
    static let body = 64 << 10
    /// How long a body may take to come.
    static let bodyTime = Duration.seconds(10)
    /// Bytes of one header, and of all.
    static let header = 16 << 10
    static let headers = 32 << 10
    /// How many headers.
    static let headerCount = 100
    /// How many connections are open at a time.
    static let connections = 4000
}
