import Testing

@testable import Decoding

struct XMLRecordsTests {
    /// The records, the same however the file is cut.
    private func read(
        _ text: String,
        _ path: String = "item",
        namespaces: XMLOptions.Namespaces = .prefix,
        lists: Set<String> = []
    ) throws -> [String] {
        let options = XMLOptions(records: try #require(XMLPath(path)), namespaces: namespaces, lists: lists)
        let all = try [1, 2, 7, 100_000].map { try Decoded(text.utf8, piece: $0, XMLRecords(options)).records }
        #expect(all.allSatisfy { $0 == all[0] }, "\(all)")
        return all[0]
    }

    private func fault(_ text: String, _ path: String = "item", _ limits: DecodingLimits = DecodingLimits()) throws
        -> DecodingFault?
    {
        let options = XMLOptions(records: try #require(XMLPath(path)))
        for piece in [100_000, 7] {
            do { _ = try Decoded(text.utf8, piece: piece, XMLRecords(options, limits)) } catch {
                if piece == 7 { return error as? DecodingFault }
            }
        }
        return nil
    }

    @Test func elementsBecomeObjects() throws {
        let text = """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <r xmlns:d="urn:d"><!-- c --><item id="1&amp;2" d:k='x"y'>
              <name>Ann &lt;3 &#xFC; </name><tag>a</tag><d:tag>D</d:tag><tag n="2">b<![CDATA[<c>]]></tag><none/>
            </item><item>text</item><item/>  <item>a<b>c</b>d</item></r>
            """
        #expect(
            try read(text) == [
                ##"{"@id":"1&2","@d:k":"x\"y","name":"Ann <3 ü ","tag":["a",{"@n":"2","#text":"b<c>"}],"d:tag":"D","none":""}"##,
                #""text""#, #""""#, ##"{"#text":"ad","b":"c"}"##,
            ]
        )
        #expect(
            try read(text, namespaces: .strip, lists: ["name"])[0]
                == ##"{"@id":"1&2","@k":"x\"y","name":["Ann <3 ü "],"tag":["a","D",{"@n":"2","#text":"b<c>"}],"none":""}"##
        )
    }

    @Test func pathsNameElements() throws {
        let text = "<r><a><item>1</item></a><b><item>2</item><c><item>3<item>4</item></item></c></b></r>"
        let inner = ##"{"#text":"3","item":"4"}"##
        #expect(try read(text) == [#""1""#, #""2""#, inner])
        #expect(try read(text, "b/item") == [#""2""#])
        #expect(try read(text, "/r/*/item") == [#""1""#, #""2""#])
        #expect(try read(text, "c/*") == [inner])
        #expect(try read("<r><x>1</x><y/></r>", "/*/*") == [#""1""#, #""""#])
        #expect(try read("<r/>") == [])
        for wrong in ["", "/", "a//b", "a b", "a[1]", "@id", "a/"] { #expect(XMLPath(wrong) == nil, "\(wrong)") }
    }

    @Test func entitiesOfItsOwnAreNeverExpanded() throws {
        let laughs =
            "<?xml version=\"1.0\"?>\n<!DOCTYPE r [\n<!ENTITY a \"ha\">\n"
            + (0..<9).map { "<!ENTITY a\($0) \"&a;&a;&a;&a;\">\n" }.joined() + "]>\n<r><item>&a9;</item></r>"
        #expect(try read(laughs) == [#""&a9;""#])
        #expect(
            try read("<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><r><item>&x;</item></r>") == [#""&x;""#]
        )
        #expect(try read("<!DOCTYPE r [<!ENTITY % p SYSTEM 'file:///etc/passwd'> %p;]><r><item/></r>") == [#""""#])
        #expect(try read("<!DOCTYPE r PUBLIC 'x' 'http://127.0.0.1:1/x.dtd'><r><item>1</item></r>") == [#""1""#])
    }

    @Test func whatIsNoXMLSaysWhatItIs() throws {
        let html = DecodingFault(.otherFormat, "it is an HTML page")
        #expect(try fault("\n<!DOCTYPE html>\n<html lang=en>") == html)
        #expect(try fault("<HTML><body bgcolor=red>") == html)
        #expect(try fault("<?xml version='1.0'?><html/>") == DecodingFault(.otherFormat, "it is an HTML page", line: 1))
        #expect(try fault("{\"error\": \"sign in\"}") == DecodingFault(.otherFormat, "it does not begin with '<'"))
        #expect(try fault("  ") == DecodingFault(.otherFormat, "it is empty"))
        #expect(
            try fault("<x><item/></x>", "/r/item")
                == DecodingFault(.otherFormat, "its root element is not the first of the path '/r/item'", line: 1)
        )
        #expect(try read("\n  <?xml version='1.0'?><r><item/></r>") == [#""""#])
    }

    @Test func aBrokenFileIsAFaultWithItsLine() throws {
        #expect(
            try fault("<r>\n<item>1</item>\n<item>2</itme>\n</r>")
                == DecodingFault(.malformed, "an end tag does not match its start tag", line: 3)
        )
        #expect(try fault("<r>\n<item>1</item>\n<item>2")?.kind == .malformed)
        #expect(try fault("<r/><r/>")?.kind == .malformed)
    }

    @Test func limitsAreNamed() throws {
        let long = "<r><item>" + String(repeating: "x", count: 2000) + "</item></r>"
        #expect(
            try fault(long, "item", DecodingLimits(record: 1000))
                == DecodingFault(.overLimit, "a record is longer than the limit of 1000 bytes", line: 1)
        )
        #expect(
            try fault(String(repeating: "<a>", count: 5000), "a")
                == DecodingFault(.overLimit, "its elements are nested deeper than the limit of 60 levels", line: 1)
        )
        let deep = String(repeating: "<a>", count: 59) + String(repeating: "</a>", count: 59)
        #expect(try read("<r>\(deep)</r>", "/r/a").count == 1)
    }

    @Test func attributesThatLoseTheirPrefixesAreKept() throws {
        let text = "<r xmlns:x='urn:x'><item href='1' x:href='2'/><item x:href='3'/></r>"
        #expect(
            try read(text, namespaces: .strip) == [##"{"@href":"1","@x:href":"2"}"##, ##"{"@href":"3"}"##]
        )
    }

    @Test func blanksAreTextWhereNoElementsAre() throws {
        #expect(
            try read("<r><item><sep type='x'> </sep><v a='1'><![CDATA[ ]]></v><s> </s><t a='1'> <u/> </t></item></r>")
                == [
                    ##"{"sep":{"@type":"x","#text":" "},"v":{"@a":"1","#text":" "},"s":" ","t":{"@a":"1","u":""}}"##
                ]
        )
    }

    @Test func manyChildrenAreLinkedOnce() throws {
        let pairs = (0..<5000).map { "<n\($0)/>" }.joined()
        #expect(
            try Decoded("<r><item>\(pairs)\(pairs)</item></r>".utf8, piece: 65536, XMLRecords(XMLOptions())).records
                .count == 1
        )
    }
}
