internal import PlugCore
internal import PlugTesting

/// Test results in JUnit's format, which GitHub, GitLab and Jenkins read: a suite for each plug.
struct JUnitReport {
    private var suites: [String] = []
    private var sum = Count()

    /// The contents of a suite.
    private struct Count {
        var tests = 0
        var failures = 0
        var errors = 0
        var skipped = 0
        var duration = Duration.zero

        static func += (left: inout Self, right: Self) {
            left.tests += right.tests
            left.failures += right.failures
            left.errors += right.errors
            left.skipped += right.skipped
            left.duration += right.duration
        }

        var attributes: String {
            "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\" "
                + "time=\"\(JUnitReport.seconds(duration))\""
        }
    }

    /// Adds a plug.
    ///
    /// - Parameter path: The path of its manifest.
    mutating func add(_ report: PlugTestReport, path: String) {
        var count = Count()
        var text = ""
        for one in report.cases {
            count.tests += 1
            count.duration += one.duration
            switch one.outcome {
            case .failed: count.failures += 1
            case .skipped: count.skipped += 1
            case .ok, .updated, .untested, .warning: break
            }
            text += Self.element(one, plug: report.plug, path: path)
        }
        add(report.plug, count, text)
    }

    /// Adds a plug whose manifest cannot be used.
    mutating func add(_ error: PlugError, path: String) {
        let count = Count(tests: 1, errors: 1)
        let message = error.advice.map { "\(error.message)\nhelp: \($0)" } ?? error.message
        let text = """
                <testcase classname="\(Self.escaped(path))" name="manifest" time="0.000" file="\(Self.escaped(path))">
                  <error message="\(Self.escaped(error.message))" type="\(Self.escaped(error.code.text))">\(Self.escaped(message))</error>
                </testcase>

            """
        add(path, count, text)
    }

    /// The file.
    var xml: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="plughost test" \(sum.attributes)>
        \(suites.joined())</testsuites>

        """
    }

    private mutating func add(_ name: String, _ count: Count, _ cases: String) {
        sum += count
        suites.append("  <testsuite name=\"\(Self.escaped(name))\" \(count.attributes)>\n\(cases)  </testsuite>\n")
    }

    private static func element(_ one: PlugTestReport.Case, plug: String, path: String) -> String {
        let place = TestPlace(one, manifest: path)
        var attributes = "classname=\"\(escaped("\(plug).\(one.kind.rawValue)"))\" name=\"\(escaped(one.name))\" "
        attributes += "time=\"\(seconds(one.duration))\" file=\"\(escaped(place.path))\""
        if let line = place.location?.line { attributes += " line=\"\(line)\"" }
        let message = one.message ?? ""
        let first = escaped(String(place.message.prefix { $0 != "\n" }))
        let inner =
            switch one.outcome {
            case .failed:
                "<failure message=\"\(first)\" type=\"\(escaped(one.code?.text ?? "failed"))\">\(escaped(message))</failure>"
            case .skipped: "<skipped message=\"\(first)\"/>"
            case .ok, .updated, .untested, .warning:
                message.isEmpty ? "" : "<system-out>\(escaped(message))</system-out>"
            }
        return inner.isEmpty
            ? "    <testcase \(attributes)/>\n" : "    <testcase \(attributes)>\n      \(inner)\n    </testcase>\n"
    }

    /// Seconds with three decimal places.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMicroseconds / 1_000
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    /// Text for XML 1.0, which cannot represent most control characters.
    static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\r": output += "&#\(scalar.value);"
            case "\n": output.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": output += "\u{FFFD}"
            default:
                if let reference = HTML.reference(to: scalar) {
                    output += reference
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
        }
        return output
    }
}
