import PlugCore
import Testing

struct LatchTests {
    @Test func itHoldsFromTheFirstCallOn() {
        let latch = Latch()
        #expect(!latch.isSet)
        #expect(latch.set())
        #expect(latch.isSet)
        #expect(!latch.set())
        #expect(latch.isSet)
    }

    @Test func oneOfSeveralCallersIsFirst() async {
        let latch = Latch()
        let firsts = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { latch.set() } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(firsts == 1)
    }
}
