import LosslessJSON
import PlugCore

/// The state of one part of a stream: `{"v": 1, "watermark": …, "pass": {…}, "validator": {…}, "config": {…}}`.
struct PartState: Sendable {
    static let version = 1
    /// Where the next pass starts.
    var watermark: JSONValue?
    /// The interrupted pass.
    var pass: JSONValue?
    /// Shows whether the only page of the last complete pass has changed.
    var validator: JSONValue?
    /// What it was read with, a `ConfigMark`; only a stream's own part has it.
    var config: JSONValue?

    init(watermark: JSONValue? = nil, pass: JSONValue? = nil, validator: JSONValue? = nil, config: JSONValue? = nil) {
        self.watermark = watermark
        self.pass = pass
        self.validator = validator
        self.config = config
    }

    /// Reads a committed state.
    ///
    /// - Throws: `PlugError` `state-unreadable` if it is of a later version or damaged.
    init(_ state: StreamState?, stream: String) throws(PlugError) {
        guard let state else { return }
        guard let value = try? JSONValue(parsing: state.bytes), value["v"]?.number?.int64 == Int64(Self.version) else {
            throw PlugError(
                .stateUnreadable,
                "this version of plughost cannot read what the last run saved for this stream",
                advice:
                    "use the version that wrote it, or start again with another --state DIR: "
                    + "everything is then read again",
                stream: stream
            )
        }
        watermark = value["watermark"]
        pass = value["pass"]
        validator = value["validator"]
        config = value["config"]
    }

    /// The state in its stored form.
    var state: StreamState {
        var object = JSONObject([("v", .integer(Self.version))])
        object["watermark"] = watermark
        object["pass"] = pass
        object["validator"] = validator
        object["config"] = config
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        return StreamState(bytes)
    }
}
