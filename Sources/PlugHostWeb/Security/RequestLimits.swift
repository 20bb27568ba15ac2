/// The limits of one request.
enum RequestLimits {
    /// The size of a body in bytes.
    static let body = 64 << 10
    /// The time in which a body must arrive.
    static let bodyTime = Duration.seconds(10)
    /// The size of one header and of all headers, in bytes.
    static let header = 16 << 10
    static let headers = 32 << 10
    /// The number of headers.
    static let headerCount = 100
    /// The number of connections open at a time.
    static let connections = 4000
}
