package import CurlTransport
package import LosslessJSON
package import PlugCore

/// The code that the person types on another device, and where (RFC 8628, section 3.2).
package struct DeviceAuthorization: Sendable, Equatable {
    /// The code presented for the token.
    package let deviceCode: Secret
    /// What the person types.
    package let userCode: String
    /// Where the person types it.
    package let address: HTTPURL
    /// The same address with the code in it; `nil` if the service gives none.
    package let completeAddress: HTTPURL?
    /// When the code expires, in microseconds since 1970.
    package let ends: Int64
    /// How long to wait between polls.
    package let interval: Duration

    /// A code's lifetime in seconds if the response does not say.
    private static let defaultLife = 600.0
    /// The longest lifetime of a code in seconds, whatever the response says.
    private static let longestLife = 86_400.0
    /// Seconds between polls if the response does not say (the standard's default).
    private static let defaultInterval = 5.0
    /// The most seconds between polls, whatever the response says.
    private static let longestInterval = 600.0

    /// Reads a response.
    ///
    /// - Throws: `TokenFailure`, which quotes no code.
    package init(_ response: HTTPResponse, now: Int64, hiding hidden: HiddenTexts) throws(TokenFailure) {
        let answer = ReceivedAnswer(response)
        if let failure = try TokenReading().failure(in: answer, now: now, hidden) { throw failure }
        guard let value = answer.value else { throw TokenReading.unreadable(answer) }
        guard let deviceCode = value["device_code"]?.stringText, !deviceCode.isEmpty else {
            throw TokenFailure(.unreadable, "it has no device code", status: answer.status)
        }
        // It is shown to a person, so it must be something that a person can read and type.
        guard let userCode = value["user_code"]?.stringText, 1...64 ~= userCode.utf8.count,
            userCode.utf8.allSatisfy({ 0x20...0x7E ~= $0 })
        else { throw TokenFailure(.unreadable, "it has no code that a person can type", status: answer.status) }
        // An earlier draft's name, which large services still use.
        let given = value["verification_uri"] ?? value["verification_url"]
        guard let address = Self.address(given) else {
            throw TokenFailure(.unreadable, "it has no address at which to type the code", status: answer.status)
        }
        self.deviceCode = Secret(deviceCode)
        self.userCode = userCode
        self.address = address
        completeAddress = Self.address(value["verification_uri_complete"] ?? value["verification_url_complete"])
        let life = Self.seconds(value["expires_in"], usual: Self.defaultLife, atMost: Self.longestLife)
        let (end, overflows) = now.addingReportingOverflow(Int64(life * 1_000_000))
        ends = overflows ? .max : end
        interval = .seconds(Self.seconds(value["interval"], usual: Self.defaultInterval, atMost: Self.longestInterval))
    }

    // MARK: - Between processes

    /// The form in which a store keeps it. Only to be encrypted.
    package var content: JSONValue {
        .members(
            ("device_code", .text(deviceCode.reveal())),
            ("user_code", .text(userCode)),
            ("verification_uri", .text(address.description)),
            ("verification_uri_complete", completeAddress.map { .text($0.description) } ?? .null),
            ("ends", .number(JSONNumber(ends))),
            ("interval", .number(JSONNumber(interval.wholeMicroseconds)))
        )
    }

    /// Reads `content`; `nil` for anything else.
    package init?(content: JSONValue) {
        guard let deviceCode = content["device_code"]?.stringText, let userCode = content["user_code"]?.stringText,
            let address = Self.address(content["verification_uri"]), let ends = content["ends"]?.number?.int64,
            let interval = content["interval"]?.number?.int64, interval > 0
        else { return nil }
        self.deviceCode = Secret(deviceCode)
        (self.userCode, self.address, self.ends) = (userCode, address, ends)
        completeAddress = Self.address(content["verification_uri_complete"])
        self.interval = .microseconds(interval)
    }

    private static func address(_ value: JSONValue?) -> HTTPURL? { value?.stringText.flatMap { try? HTTPURL($0) } }

    /// A number of seconds, also as text; the usual one unless it is above 0.
    private static func seconds(_ value: JSONValue?, usual: Double, atMost most: Double) -> Double {
        let number = value?.number?.double ?? value?.stringText.flatMap { Double($0) } ?? usual
        return number > 0 ? min(max(1, number), most) : usual
    }
}
