import CurlTransport
import LosslessJSON
import PlugCore
import PlugStorage
import Synchronization
import TestKit
import Testing

@testable import PlugRuntime

/// Where runs keep what does not fit into memory.
struct ScratchFolderTests {
    /// Notes where large answers of the source may go.
    private final class Wire: HTTPSending {
        private let pda = ModelPDA()
        private let state = Mutex<[String?]>([])

        var folders: [String?] { state.withLock(\.self) }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            if request.side == .pda { return try await pda.send(request) }
            state.withLock { $0.append(request.spooling?.folder) }
            return HTTPResponse(status: 200, url: request.url)
        }
    }

    @Test func largeAnswersWaitInTheStateFolder() async throws {
        let space = try ScratchSpace()
        defer { space.remove() }
        let folder = space.path + "/state"
        let store = try await SQLiteStore.open(
            folder: folder,
            access: .write(wait: .zero),
            keyFile: nil,
            credentials: nil
        )
        let request = RunRequest(
            manifest: try manifest([("items", ["decode: csv", "key: [.id]"])]),
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada"), "key": .text("secret")]
        )
        let wire = Wire()
        let report = await PlugRun(request, store: store, transport: wire, clock: StillClock()).run()
        #expect(report.line == "done 0: items ")
        await store.close()
        // Without a state there is no folder but the system's.
        var dry = request
        dry.isDryRun = true
        _ = await PlugRun(dry, store: nil, transport: wire, clock: StillClock()).run()
        #expect(wire.folders == [folder, ScratchFile.defaultFolder])
    }
}
