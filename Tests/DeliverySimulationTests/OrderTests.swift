import Testing

/// The order within a stream, where some of it waits in the outbox.
struct OrderTests {
    /// The PDA comes back while another stream asks it: what is new of this one still goes behind what waits of it.
    @Test(arguments: 1...12)
    func whatIsNewGoesBehindWhatWaits(_ requests: Int) async throws {
        try await Story.tell {
            let scenario = Scenario(
                streams: [StreamShape(name: "posts"), StreamShape(name: "things")],
                rounds: [
                    [.add(person: 0, stream: 1), .add(person: 0, stream: 1)],
                    [
                        .change(person: 0, stream: 1, index: 0), .change(person: 0, stream: 1, index: 1),
                        .add(person: 0, stream: 0), .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                    ],
                ]
            )
            let world = try scenario.world(seed: 1)
            try scenario.change(world, round: 0)
            try await world.live(LifePlan(rates: FaultRates(outage: 1..<100), people: [0]))
            try scenario.change(world, round: 1)
            try await world.live(LifePlan(rates: FaultRates(outage: 1..<requests + 1, latency: 60), people: [0]))
            try await world.settle()
            try world.check()
        }
    }
}
