import TestKit
import Testing

struct WatchedTests {
    @Test func whoWaitsGoesOnWhenItsConditionIsMet() async {
        let value = Watched(0)
        let order = Watched<[String]>([])
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await value.wait { $0 >= 2 }
                order.change { $0.append("two") }
            }
            value.change { $0 = 1 }
            #expect(order.value == [])
            value.change { $0 = 2 }
            await order.wait { $0 == ["two"] }
        }
        await value.wait { $0 == 2 }
    }
}
