import Testing

@testable import LosslessJSON

struct EditDistanceTests {
    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("select", "select", 0),
        ("a", "b", 1),
    ])
    func lettersAreCounted(left: String, right: String, distance: Int) {
        #expect(EditDistance.between(Array(left), Array(right)) == distance)
        #expect(EditDistance.between(Array(right.utf8), Array(left.utf8)) == distance)
        #expect(EditDistance.between(Array(left), Array(right), swapsCountOnce: true) == distance)
    }

    @Test func swappedNeighboursCountOnceOrTwice() {
        #expect(EditDistance.between(Array("sleect"), Array("select")) == 2)
        #expect(EditDistance.between(Array("sleect"), Array("select"), swapsCountOnce: true) == 1)
    }
}
