import LosslessJSON
import TestKit
import Testing

@testable import Decoding

/// Answers that were good until something happened to them: each is read to an end or to a fault, never further.
struct AnythingMayComeTests {
    private static let csv = "id,name,\"note\"\r\n1,\"Ann, \"\"A\"\"\",x\r\n2,Zoë,\"two\nlines\"\r\n3, \"b\" ,\r\n"
    private static let xml =
        "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE r [<!ATTLIST i a CDATA 'v'>]><r xmlns:x='u'><i a='1&amp;2' x:b='3'>"
        + "t<![CDATA[<c>]]><j/><!-- c --></i><i/></r>"
    private static let feed =
        "<rss version='2.0'><channel xml:base='http://a/b/'><item><guid>1</guid><link>c</link><pubDate>2 Jan 24 00:00 EST</pubDate>"
        + "<category>k</category></item></channel></rss>"
    private static let calendar = """
        BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Z\r\nBEGIN:STANDARD\r\nDTSTART:20200101T000000\r\nTZOFFSETFROM:+0100
        TZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:u
        DTSTART;TZID=Z:20260101T100000\r\nDURATION:PT1H\r\nRRULE:FREQ=MONTHLY;BYDAY=1MO,-1FR;BYSETPOS=1;COUNT=9
        EXDATE;TZID=Z:20260202T100000\r\nRDATE:20260301T000000Z,20260302T000000Z\r\nSUMMARY;X=\"a\":b\\,\r\n c\r\nEND:VEVENT
        END:VCALENDAR\r\n
        """

    private static func samples() throws -> [(RecordFormat, [UInt8])] {
        let archive = try DecompressorTests.python(
            "z=zipfile.ZipFile(b:=io.BytesIO(),'w',zipfile.ZIP_DEFLATED)\nz.writestr('a.csv','id,n\\n1,2\\n'*9)\n"
                + "z.writestr('b/c.csv','id\\n3\\n')\nz.comment=b'c'\nz.close()\nout.write(b.getvalue())"
        )
        let gzip = try DecompressorTests.python("out.write(gzip.compress(b'id,n\\n1,2\\n'*9)*2)")
        let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x06, 0x31, 0x00, 0x00] + Array("hello ".utf8)
        let table = RecordFormat.delimited(DelimitedDialect())
        return [
            (table, Array(csv.utf8)),
            (.delimited(DelimitedDialect(escape: 0x5C, header: .none, ragged: .pad)), Array(csv.utf8)),
            (.jsonLines, Array("{\"a\":[1,{\"b\":\"ü\"}]}\n\u{FEFF}[1.10]\n\u{1E}\"x\"\n".utf8)),
            (.jsonLines, Array("\u{1E}{\n\"a\":1}\n\u{1E}2\n".utf8)), (.lines, Array("one\r\ntwo\rthree\n".utf8)),
            (.xml(XMLOptions()), Array(xml.utf8)), (.xml(XMLOptions(namespaces: .strip)), Array(xml.utf8)),
            (.feed, Array(feed.utf8)), (.calendar(CalendarWindow()), Array(calendar.utf8)), (table, archive),
            (table, gzip),
            (table, zstd), (table, csv.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }),
        ]
    }

    private static let words: [[UInt8]] =
        ["\"", "\n", "\r", ",", "<", ">", "&", "\0", "]]>", "PK", "BYDAY=", "99999999999", "-"]
        .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xEF, 0xBB, 0xBF]]

    private static func changed(_ bytes: [UInt8], _ numbers: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &numbers) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &numbers)
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &numbers)
            case 1: bytes.remove(at: at)
            case 2: bytes.insert(contentsOf: words.randomElement(using: &numbers) ?? [], at: at)
            case 3: bytes.removeSubrange(at...)
            default:
                let end = Int.random(in: at...bytes.count, using: &numbers)
                bytes.insert(contentsOf: bytes[at..<end], at: Int.random(in: 0...bytes.count, using: &numbers))
            }
        }
        return bytes
    }

    @Test(.timeLimit(.minutes(60))) func everyAnswerEnds() async throws {
        var numbers = SplitMix(state: 20_261_123)
        let rounds = 150
        for (format, bytes) in try Self.samples() {
            for _ in 0..<rounds {
                let answer = Self.changed(bytes, &numbers)
                let source = DecompressorTests.Drops(bytes: answer, size: Int.random(in: 1...2000, using: &numbers))
                let limits = DecodingLimits(total: 1 << 20, record: 4096, blockRecords: 3)
                let decoder = AnswerDecoder(source, format, now: 1_767_225_600, limits: limits)
                var records = 0
                do throws(DecodingFault) {
                    while let block = try await decoder.next() {
                        #expect(block.records.count == block.count)
                        records += block.count
                    }
                } catch {
                    // What ended it stays.
                    await #expect(throws: error) { try await decoder.next() }
                }
                #expect(records < 10_000)
            }
        }
    }
}
