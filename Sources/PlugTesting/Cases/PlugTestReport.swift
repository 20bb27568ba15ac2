public import LosslessJSON

/// What testing a plug gave: one case for each inline test and each fixture.
public struct PlugTestReport: Sendable {
    /// One thing that was tested.
    public struct Case: Sendable, Equatable {
        /// Such as `posts: test 1` or `fixtures/posts.json`.
        public var name: String
        /// Whether it went as expected.
        public var passed: Bool
        /// What went otherwise, or a note such as that a golden file was written; `nil` for nothing to say.
        public var message: String?
        /// Wall time.
        public var seconds: Double

        /// A case.
        public init(_ name: String, passed: Bool, message: String? = nil, seconds: Double = 0) {
            self.name = name
            self.passed = passed
            self.message = message
            self.seconds = seconds
        }
    }

    /// The plug's id.
    public var plug: String
    /// The cases, inline tests first, then fixtures by name. Empty where a plug has neither.
    public var cases: [Case]

    /// A report.
    public init(plug: String, cases: [Case] = []) {
        self.plug = plug
        self.cases = cases
    }

    /// Whether no case failed.
    public var passed: Bool { cases.allSatisfy(\.passed) }
    /// The cases that failed.
    public var failures: [Case] { cases.filter { !$0.passed } }

    /// `{"plug", "passed", "cases": [{"name", "passed", "message": null|TEXT, "seconds"}]}`
    public var json: JSONValue {
        let cases = cases.map { one in
            let members: [JSONObject.Member] = [
                ("name", .text(one.name)),
                ("passed", .bool(one.passed)),
                ("message", one.message.map { .text($0) } ?? .null),
                ("seconds", JSONNumber((one.seconds * 1000).rounded() / 1000).map { .number($0) } ?? .null),
            ]
            return JSONValue.object(JSONObject(members))
        }
        let members: [JSONObject.Member] = [
            ("plug", .text(plug)), ("passed", .bool(passed)), ("cases", .array(cases)),
        ]
        return .object(JSONObject(members))
    }
}
