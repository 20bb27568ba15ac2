import PlugCore
import PlugRuntime
import Testing

@testable import PlugHostCLI

struct RunTalkTests {
    /// A dry run starts a program once for each stream, and each start reports the same.
    @Test func eachWarningIsWrittenOnce() {
        let errors = TextSink()
        let talk = RunTalk(CommandContext(output: TextSink(), errors: errors), printsRecords: false)
        for message in ["one", "two", "one"] { talk.note(.warning(code: .unexpected, message: message)) }
        #expect(errors.text == "warning: [unexpected] one\nwarning: [unexpected] two\n")
    }
}
