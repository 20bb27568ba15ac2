import Testing

@testable import PlugHostCLI

struct DescriptorsTests {
    @Test(arguments: [(1_024, 160), (256, 32), (100, 6), (64, 1), (0, 1)])
    func soManyConnectionsRunAsTheProcessMayOpenFilesFor(limit: Int, connections: Int) {
        #expect(Descriptors.connections(within: limit) == connections)
    }
}
