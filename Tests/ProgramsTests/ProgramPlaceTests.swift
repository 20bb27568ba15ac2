import PlugCore
import TestKit
import Testing

@testable import Programs

@Suite struct ProgramPlaceTests {
    @Test func aPathIsTidiedAsItIsWritten() {
        #expect(ProgramPlace.tidy("/a/./b//../c/") == "/a/c")
        #expect(ProgramPlace.tidy("/../..") == "/")
    }

    @Test func aProgramOfTheSystemNeedsNothingBesideIt() throws {
        let place = try ProgramPlace("sh", in: nil, searching: ["/usr/bin"], hiding: [])
        #expect(place.path == "/usr/bin/sh" && place.readable == [])
    }

    @Test func aProgramThatIsNotThereIsNamed() {
        let error = #expect(throws: PlugError.self) {
            try ProgramPlace("tap-nowhere", in: nil, searching: ["/usr/bin"], hiding: [])
        }
        #expect(error?.code == "program-not-found" && error?.exit == .configuration)
        #expect(error?.message == "there is no program 'tap-nowhere'")
    }
}
