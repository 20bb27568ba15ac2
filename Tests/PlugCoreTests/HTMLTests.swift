import PlugCore
import Testing

@Suite("HTML escapes what is put into it")
struct HTMLTests {
    private let foreign = #"<script a="b" c='d'>&"#

    @Test("text is escaped, between tags and in attributes")
    func escapesText() {
        let html: HTML = "<p title=\"\(foreign)\">\(foreign)</p>"
        let escaped = "&lt;script a=&quot;b&quot; c=&#39;d&#39;&gt;&amp;"
        #expect(html.text == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test("HTML in HTML stays as it is, and is not escaped twice")
    func keepsHTML() {
        let inner: HTML = "<b>\(foreign.prefix(1))</b>"
        let missing: HTML? = nil
        let html: HTML = "<p>\(inner)\(missing)\(3)</p>"
        #expect(html.text == "<p><b>&lt;</b>3</p>")
        #expect([inner, inner].joined(separator: ", ").text == "<b>&lt;</b>, <b>&lt;</b>")
    }

    @Test("a text that is chosen when the program runs is escaped, whatever it looks like")
    func escapesChosenText() {
        let html: HTML = "<p>\(Bool.random() ? "<i>" : "<i>")</p>"
        #expect(html.text == "<p>&lt;i&gt;</p>")
    }

    @Test("control characters that HTML does not have become the replacement character")
    func replacesControlCharacters() {
        #expect(HTML.text("a\u{0}b\u{1B}c\n").text == "a\u{FFFD}b\u{FFFD}c\n")
    }

    @Test("a quotation mark is escaped also where a combining mark makes one character of the two")
    func escapesWithinCharacters() {
        let html: HTML = "<p title=\"\("\"\u{301}<\u{338}")\">"
        #expect(html.text == "<p title=\"&quot;\u{301}&lt;\u{338}\">")
    }
}
