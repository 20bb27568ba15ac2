internal import CurlTransport
package import LosslessJSON
package import PlugCore

/// The details of a connection to be created.
package struct ConnectionDraft: Sendable {
    /// Its name.
    package var name: String
    /// The plug's id.
    package var plug: String
    /// The PDA's address.
    package var pda: String
    /// The token that the PDA issued for the plug; `nil` if the PDA is connected later.
    package var token: Secret?
    /// The answers to the plug's questions, secrets included.
    package var config: JSONObject
    /// The streams; `nil` for all.
    package var streams: [String]?
    /// The first day to read; `nil` for the plug's choice.
    package var from: String?
    /// When it runs.
    package var schedule = ScheduleChoice()
    /// Whether it is not to run until it is resumed.
    package var isPaused = false
    /// Whether a token of another PDA or another application is accepted, now and later.
    package var acceptsForeignToken = false

    /// A draft.
    package init(name: String, plug: String, pda: String, config: JSONObject) {
        self.name = name
        self.plug = plug
        self.pda = pda
        self.config = config
    }

    /// Whether a text is a valid name for a connection.
    package static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
    }

    /// The PDA's origin.
    ///
    /// - Throws: `PlugError` `connection-name`, `connection-pda` (usage).
    func checked() throws(PlugError) -> String {
        guard Self.isName(name) else {
            throw PlugError(
                .connectionName,
                "'\(DisplayText.escaped(name))' is not a valid name for a connection",
                advice: "use 1 to 100 bytes without spaces, control characters or '/'"
            )
        }
        guard let url = try? HTTPURL(pda), ["", "/"].contains(url.path), url.query == nil else {
            throw PlugError(
                .connectionPDA,
                "'\(DisplayText.escaped(pda))' is not the address of a PDA",
                advice: "write only the scheme and host: https://you.example"
            )
        }
        return url.origin
    }
}

/// When a connection runs, as chosen: by an interval or a cron expression, or by the plug's own schedule.
package struct ScheduleChoice: Sendable, Equatable {
    /// A duration, such as `1h`.
    package var every: String?
    /// Five fields, as in crontab(5).
    package var cron: String?
    /// The time zone of the cron expression.
    package var zone: String?

    /// The plug's own schedule by default.
    package init(every: String? = nil, cron: String? = nil, zone: String? = nil) {
        self.every = every
        self.cron = cron
        self.zone = zone
    }

    /// - Throws: `PlugError` `schedule-unclear` (usage).
    func check() throws(PlugError) {
        if every != nil, cron != nil {
            throw PlugError(.scheduleUnclear, "'every' and 'cron' cannot be used together", advice: "give one of them")
        }
        if zone != nil, cron == nil {
            throw PlugError(.scheduleUnclear, "'zone' is for 'cron'", advice: "leave it out, or give 'cron'")
        }
    }
}
