import PlugCore
import Testing

/// What others have said stands in no message, and is there for whoever may see it.
struct QuoteTests {
    private let error = PlugError(
        .unexpected,
        "GET https://no.test/no was answered with 400; it says: no",
        advice: "look"
    )

    @Test func aMessageSaysHowLongAQuoteIsAndTheQuoteIsKeptBesideIt() {
        let hidden = error.hiding("no")
        let message = "GET https://no.test/no was answered with 400; it says: <2 characters, shown by --dry-run>"
        #expect(hidden.message == message && hidden.quote == "no")
        #expect(hidden.description == "error: [unexpected] \(message)\n  help: look")
        #expect(hidden.quoted == error)
    }

    @Test func itsPlaceIsFoundWhateverFollows() {
        var hidden = error.hiding("no")
        hidden.message += "; the source is left alone"
        #expect(hidden.quoted.message == error.message + "; the source is left alone")
        let wrapped = PlugError(.unexpected, "stream: \(hidden.message)").quoting(as: hidden)
        #expect(wrapped.quoted.message == "stream: \(error.message); the source is left alone")
    }

    @Test func whatDoesNotStandInTheMessageHidesNothing() {
        #expect(error.hiding("yes") == error && error.hiding("") == error && error.quoted == error)
    }
}
