package import LosslessJSON
package import PlugCore

/// The result of testing a plug: one case for each inline test, each fixture, and each scenario of each stream.
package struct PlugTestReport: Sendable, Equatable {
    /// What a case tests.
    package enum Kind: String, Sendable {
        /// An entry of a stream's `tests:`.
        case inline
        /// A conversation in `fixtures/`.
        case fixture
        /// A scenario against a simulated service.
        case conformance
        /// What no test of the plug reaches.
        case coverage
    }

    /// How a case, or all of them, went.
    package enum Outcome: String, Sendable {
        /// As expected.
        case ok
        /// Not as expected.
        case failed
        /// The golden file was written.
        case updated
        /// It could not be tested; the message says why.
        case skipped
        /// It may be wrong: nothing shows that it is right.
        case warning
        /// There was nothing to test.
        case untested
    }

    /// One thing that was tested.
    package struct Case: Sendable, Equatable {
        /// A name such as `posts: test 1` or `fixtures/posts.json`.
        package var name: String
        /// What it tests.
        package var kind: Kind
        /// How it went.
        package var outcome: Outcome
        /// A code of `TestCodes`, or of what failed in the plug; `nil` for a case that went as expected.
        package var code: PlugError.Code?
        /// How the result differed, in one or more lines, or what was written; `nil` if there is nothing to say.
        package var message: String?
        /// How long it took, which is not part of the result.
        package var duration = Duration.zero

        /// The case that some work returns, with the time that it took.
        static func timed(_ work: () async throws -> Self) async rethrows -> Self {
            let start = ContinuousClock.now
            var result = try await work()
            result.duration = ContinuousClock.now - start
            return result
        }

        /// Compares everything but the duration.
        package static func == (left: Self, right: Self) -> Bool {
            (left.name, left.kind, left.outcome, left.code, left.message)
                == (right.name, right.kind, right.outcome, right.code, right.message)
        }

        /// A case.
        package init(
            _ name: String,
            _ kind: Kind,
            _ outcome: Outcome,
            code: PlugError.Code? = nil,
            message: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.outcome = outcome
            self.code = code
            self.message = message
        }
    }

    /// The plug's id.
    package var plug: String
    /// The cases: inline tests first, then fixtures by name, then scenarios by stream. Empty if a plug has none.
    package var cases: [Case]

    /// A report.
    package init(plug: String, cases: [Case] = []) {
        self.plug = plug
        self.cases = cases
    }

    /// The cases that failed.
    package var failures: [Case] { cases.filter { $0.outcome == .failed } }

    /// The worst of the cases.
    package var outcome: Outcome {
        if !cases.contains(where: { $0.kind != .coverage }) { return failures.isEmpty ? .untested : .failed }
        if !failures.isEmpty { return .failed }
        return cases.contains { $0.outcome == .updated } ? .updated : .ok
    }

    /// `{"plug", "outcome", "cases": [{"name", "kind", "outcome", "code": null|TEXT, "message": null|TEXT}]}`
    package var json: JSONValue {
        let cases = cases.map { one in
            let members: [JSONObject.Member] = [
                ("name", .text(one.name)),
                ("kind", .text(one.kind.rawValue)),
                ("outcome", .text(one.outcome.rawValue)),
                ("code", one.code.map { .text($0.text) } ?? .null),
                ("message", one.message.map { .text($0) } ?? .null),
            ]
            return JSONValue.object(JSONObject(members))
        }
        let members: [JSONObject.Member] = [
            ("plug", .text(plug)), ("outcome", .text(outcome.rawValue)), ("cases", .array(cases)),
        ]
        return .object(JSONObject(members))
    }
}
