import ArgumentParser
import PlugCore
import Testing

@testable import PlugHostCLI

/// The options that limit runs.
struct LimitOptionsTests {
    @Test("each limit has its option, which sets it and nothing else", arguments: RunLimitKey.all.indices)
    func eachLimitHasAnOption(_ at: Int) throws {
        let limit = RunLimitKey.all[at]
        let (text, value) = limit.unit == .bytes ? ("64KiB", 64 << 10) : ("7", 7)
        var expected = try LimitOptions.parse([]).limits()
        expected[keyPath: limit.path] = value
        #expect(try LimitOptions.parse([limit.option, text]).limits() == expected)
    }
}
