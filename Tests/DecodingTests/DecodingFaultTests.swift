import LosslessJSON
import Testing

@testable import Decoding

struct DecodingFaultTests {
    static let kinds: [(JSONError.Kind, DecodingFault.Kind)] = [
        (.malformed, .malformed), (.tooLarge, .malformed), (.tooManyTokens, .malformed), (.tooDeep, .overLimit),
        (.noMemory, .noMemory),
    ]

    @Test(arguments: kinds)
    func aFaultSaysWhetherTheDocumentIsAtFault(_ json: JSONError.Kind, _ kind: DecodingFault.Kind) {
        let fault = DecodingFault(JSONError("a reason", at: 7, json), "a record cannot be read", line: 3)
        #expect(fault == DecodingFault(kind, "a record cannot be read: a reason", line: 3))
    }
}
