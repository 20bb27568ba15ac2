import CurlTransport
import Decoding
import PlugCore
import Testing

@testable import PlugFetch

/// A lack of memory is nobody's fault: the run ends, and another one may fare better.
struct MemoryTests {
    @Test func anAnswerForWhichThereIsNoMemoryEndsTheRunUntilLater() {
        let error = SourceFault.failed(HTTPError(.noMemory, "api.test sent too much"), "GET /t")
        #expect(error == .memoryShort("the answer to GET /t"))
        #expect(error.code == .memoryShort)
        #expect(error.exit == .tryLater)
        #expect(error.reach == .run)
    }

    @Test(arguments: [RecordFormat.json(JSONList(path: nil)), .jsonLines])
    func aLackOfMemoryWhileDecodingIsNotAnAnswerThatCannotBeRead(_ format: RecordFormat) {
        let fault = DecodingFault(.noMemory, "a record cannot be read: there is not enough memory to read it")
        #expect(SourceFault.undecodable(fault, format, "GET /t") == .memoryShort("the answer to GET /t"))
    }
}
