import Testing

@testable import Decoding

/// Files that are small and cost much, if one lets them.
struct XMLAttacksTests {
    private func fault(_ text: String, _ path: String = "item") throws -> DecodingFault? {
        let options = XMLOptions(records: try #require(XMLPath(path)))
        do { _ = try Decoded(text.utf8, piece: 65536, XMLRecords(options)) } catch { return error as? DecodingFault }
        return nil
    }

    @Test func aFileThatIsStoppedIsNotReadAnyFurther() throws {
        // The attributes of the root lie in memory that is freed when the parser is stopped.
        let text = "<!-- c --><html lang=\"\(String(repeating: "x", count: 200_000))\">"
        #expect(try fault(text, "/*") == DecodingFault(.otherFormat, "it is an HTML page", line: 1))
    }

    @Test func valuesOfTheDocumentTypeAreLeftOut() throws {
        let value = String(repeating: "x", count: 100_000)
        let items = String(repeating: "<i/>", count: 5000)
        let text = "<!DOCTYPE r [<!ELEMENT r (i*)><!ATTLIST i a CDATA \"\(value)\" b CDATA #REQUIRED>]><r>\(items)</r>"
        #expect(
            try Decoded(text.utf8, piece: 65536, XMLRecords()).records == Array(repeating: "\"\"", count: 5000)
        )
    }

    @Test(.timeLimit(.minutes(60)), arguments: [2000, 500_000])
    func manyAttributesAreRefusedBeforeTheyAreCompared(_ count: Int) throws {
        let attributes = (0..<count).map { "a\($0)=\"\"" }.joined(separator: " ")
        #expect(
            try fault("<r><item \(attributes)/></r>")
                == DecodingFault(.overLimit, "an element has more than 1000 attributes", line: 1)
        )
    }

    @Test func namespacesAtOnePlaceAreLimited() throws {
        func text(_ count: Int) -> String {
            let spaces = (0..<count).map { "xmlns:a\($0)=\"u\($0)\"" }.joined(separator: " ")
            return "<r><item \(spaces)/><item \(spaces)/></r>"
        }
        #expect(try fault(text(200)) == nil)
        #expect(
            try fault(text(300)) == DecodingFault(.overLimit, "it has more than 256 namespaces at one place", line: 1)
        )
    }

    @Test(.timeLimit(.minutes(60))) func brokenBytesInATagAreReadInGoodTime() async throws {
        let broken = (0..<500_000).flatMap { _ in [0xFF, 0x3E] as [UInt8] }
        let bytes = Array("<r><item a='".utf8) + broken + Array("'/></r>".utf8)
        let all = try await AnswerDecoderTests.read(bytes, .xml(XMLOptions()))
        #expect(all.records.count == 1)
        #expect(all.replaced == 500_000)
    }

    @Test func whatIsLargeOutsideOfRecordsIsLeftOutOrNamed() throws {
        let large = String(repeating: "x", count: 5 << 20)
        #expect(try fault("<r><!--\(large)--><?x \(large)?><item/></r>") == nil)
        let reason = "a tag, a comment or the like is longer than the limit of 4194304 bytes"
        #expect(try fault("<r><a b='\(large)'/></r>") == DecodingFault(.overLimit, reason, line: 1))
        let type = "its document type does not end within 1048576 bytes"
        #expect(try fault("<!DOCTYPE r [\(large)]><r/>") == DecodingFault(.malformed, type, line: 1))
    }

    @Test(
        .timeLimit(.minutes(60)),
        arguments: ["<", "<a ", "<a b=\"", "<a b='", "&", "&a", "]", "<!", "</", "<!--", "<![CDATA[", "<a b=\"<c d='"]
    )
    func whatBeginsNothingIsReadInGoodTime(_ part: String) throws {
        let text = "<r><item>" + String(repeating: part, count: 1_000_000 / part.count) + "</item></r>"
        _ = try fault(text)
        _ = try fault("<!DOCTYPE r [" + String(repeating: part, count: 500_000 / part.count) + "]><r/>")
    }

    @Test func linesAreThoseOfTheFile() throws {
        #expect(
            try fault("<r><item/></r>\nrubbish")
                == DecodingFault(.malformed, "something follows the end of its root element", line: 2)
        )
        #expect(
            try fault("\n\n <?xml version='1.0'?>\n<r>\n<item></r>")
                == DecodingFault(.malformed, "an end tag does not match its start tag", line: 5)
        )
    }
}
