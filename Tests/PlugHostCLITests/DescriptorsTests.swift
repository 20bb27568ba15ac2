import Glibc
import PlugCore
import TestKit
import Testing

@testable import PlugHostCLI

struct DescriptorsTests {
    @Test(arguments: [(1_024, 160), (256, 32), (100, 6), (64, 1), (0, 1)])
    func soManyConnectionsRunAsTheProcessMayOpenFilesFor(limit: Int, connections: Int) {
        #expect(Descriptors.connections(within: limit) == connections)
    }
}

struct UnreadableFileTests {
    @Test("a file that cannot be opened for want of descriptors has nothing wrong with it")
    func descriptors() {
        let error = Files.failure("token", EMFILE, .authorisation)
        #expect(error.code == "file-unreadable" && error.exit == .tryLater)
        #expect(error.advice?.contains("LimitNOFILE=") == true)
        #expect(Files.failure("token", EACCES, .authorisation).exit == .authorisation)
    }
}
