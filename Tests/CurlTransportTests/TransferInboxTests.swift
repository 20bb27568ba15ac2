import Synchronization
import Testing

@testable import CurlTransport

struct TransferInboxTests {
    /// An inbox, and how often its thread was woken.
    private final class Bench: Sendable {
        let wakes = Atomic(0)
        let transfer: Transfer

        init() throws {
            let url = try HTTPURL("https://93.184.216.34/")
            transfer = try Transfer(
                request: HTTPRequest(to: url, side: .source),
                url: url,
                policy: NetworkPolicy()
            )
        }

        func inbox() -> TransferInbox {
            TransferInbox { self.wakes.add(1, ordering: .relaxed) }
        }

        var count: Int { wakes.load(ordering: .relaxed) }
    }

    @Test func onlyASleepingThreadIsWoken() throws {
        let bench = try Bench()
        let inbox = bench.inbox()
        inbox.post(.cancel(bench.transfer))
        #expect(bench.count == 0)
        // It must look first.
        #expect(!inbox.maySleep())
        #expect(inbox.take().orders.count == 1)
        #expect(inbox.maySleep())
        inbox.post(.cancel(bench.transfer))
        inbox.post(.cancel(bench.transfer))
        #expect(bench.count == 1)
        #expect(inbox.take().orders.count == 2)
        inbox.post(.cancel(bench.transfer))
        #expect(bench.count == 1)
    }

    @Test func aStopWakesASleepingThreadAndKeepsAnyOtherAwake() throws {
        let bench = try Bench()
        for isAsleep in [true, false] {
            let inbox = bench.inbox()
            let before = bench.count
            if isAsleep { #expect(inbox.maySleep()) }
            inbox.stop(nil)
            #expect(bench.count == before + (isAsleep ? 1 : 0))
            #expect(!inbox.maySleep())
            #expect(inbox.take().isStopping)
        }
    }

    @Test func aClosedInboxWakesNobody() throws {
        let bench = try Bench()
        let inbox = bench.inbox()
        #expect(inbox.maySleep())
        #expect(inbox.close().isEmpty)
        inbox.stop(nil)
        inbox.post(.cancel(bench.transfer))
        #expect(bench.count == 0)
        #expect(inbox.take().orders.isEmpty)
    }
}
