// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "plughost",
    products: [
        .executable(name: "plughost", targets: ["plughost"]),
        .library(name: "PDAClient", targets: ["PDAClient"]),
        .library(name: "DataPlug", targets: ["DataPlug"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        // Its traits are for reading settings with swift-configuration, which would be built for nothing.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    ],
    targets: [
        // MARK: What the tests of several targets share
        .target(
            name: "TestKit",
            dependencies: ["Cryptography", "LosslessJSON", "PlugCore", "PlugStorage"],
            path: "Tests/TestKit"
        ),
        .testTarget(name: "TestKitTests", dependencies: ["TestKit"]),

        // MARK: C libraries, each behind one Swift target
        .systemLibrary(name: "CLibArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibCURL", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(name: "CPrefetch"),
        .systemLibrary(
            name: "CTCMalloc",
            pkgConfig: "libtcmalloc_minimal",
            providers: [.apt(["libgoogle-perftools-dev"])]
        ),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "CClock"),
        .target(name: "CJSONScan"),
        .target(name: "CMemory", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CProgram"),
        .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),
        .target(name: "CThreads"),

        // MARK: Languages
        .target(name: "LosslessJSON", dependencies: ["CSimdJSON"]),
        .testTarget(name: "LosslessJSONTests", dependencies: ["LosslessJSON"]),

        .target(name: "JQ", dependencies: ["LosslessJSON", "CPCRE2"]),
        .testTarget(name: "JQTests", dependencies: ["JQ", "LosslessJSON"], exclude: ["Answers"]),
        // Made-up programs and inputs, for `make fuzz`.
        .executableTarget(name: "jq-fuzz", dependencies: ["JQ", "LosslessJSON"], path: "Tests/JQFuzz"),

        // MARK: Words
        .target(name: "PlugCore", dependencies: ["CThreads", "LosslessJSON"]),
        .testTarget(name: "PlugCoreTests", dependencies: ["LosslessJSON", "PlugCore", "TestKit"]),

        .target(name: "Cryptography", dependencies: ["CLibCrypto", "PlugCore"]),
        .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"]),

        // MARK: Archives
        .target(name: "Compression", dependencies: ["CZlib"]),
        .target(name: "Archives", dependencies: ["CLibArchive", "Compression", "Cryptography", "PlugCore"]),
        .testTarget(name: "ArchivesTests", dependencies: ["Archives", "TestKit"]),

        // MARK: Formats
        .target(
            name: "Decoding",
            dependencies: ["CJSONScan", "CLibXML2", "CZlib", "CZstd", "Compression", "LosslessJSON", "PlugCore"]
        ),
        .testTarget(name: "DecodingTests", dependencies: ["Decoding", "LosslessJSON", "PlugCore", "TestKit"]),

        // MARK: Stages
        .target(name: "CurlTransport", dependencies: ["CLibCURL", "Compression", "LosslessJSON", "PlugCore"]),
        .testTarget(
            name: "CurlTransportTests",
            dependencies: ["CurlTransport", "LosslessJSON", "PlugCore", "TestKit"]
        ),

        .target(name: "Programs", dependencies: ["CProgram", "CurlTransport", "PlugCore"]),
        .testTarget(
            name: "ProgramsTests",
            dependencies: ["CurlTransport", "PlugCore", "Programs", "TestKit"],
            exclude: ["Hostile"]
        ),

        .target(name: "Singer", dependencies: ["LosslessJSON", "PlugCore"]),
        .testTarget(name: "SingerTests", dependencies: ["LosslessJSON", "PlugCore", "Singer", "TestKit"]),

        .target(name: "Throttling", dependencies: ["CurlTransport", "LosslessJSON", "PlugCore"]),
        .testTarget(
            name: "ThrottlingTests",
            dependencies: ["CurlTransport", "LosslessJSON", "PlugCore", "TestKit", "Throttling"]
        ),

        .target(name: "Signing", dependencies: ["Cryptography", "PlugCore"]),
        .testTarget(name: "SigningTests", dependencies: ["Cryptography", "PlugCore", "Signing"]),

        .target(
            name: "OAuth",
            dependencies: ["Cryptography", "CurlTransport", "LosslessJSON", "PlugCore", "Signing", "Throttling"]
        ),
        .testTarget(
            name: "OAuthTests",
            dependencies: ["Cryptography", "CurlTransport", "LosslessJSON", "OAuth", "PlugCore", "Signing", "TestKit"]
        ),

        // What a fetcher in Swift takes and gives; `DataPlug` adds the host to it.
        .target(name: "PlugModules", dependencies: ["LosslessJSON", "PlugCore"]),
        .testTarget(name: "PlugModulesTests", dependencies: ["LosslessJSON", "PlugCore", "PlugModules"]),

        .target(
            name: "PlugManifest",
            dependencies: [
                "Archives", "CLibYAML", "Cryptography", "Decoding", "JQ", "LosslessJSON", "PlugCore", "PlugModules",
                "Signing",
            ]
        ),
        .testTarget(
            name: "PlugManifestTests",
            dependencies: [
                "Cryptography", "Decoding", "JQ", "LosslessJSON", "PlugCore", "PlugManifest", "PlugModules", "Signing",
                "TestKit",
            ]
        ),

        .target(
            name: "PlugFetch",
            dependencies: [
                "Archives", "Cryptography", "CurlTransport", "Decoding", "JQ", "LosslessJSON", "OAuth", "PlugCore",
                "PlugManifest", "PlugModules", "Programs", "Signing", "Singer", "Throttling",
            ]
        ),
        .testTarget(
            name: "PlugFetchTests",
            dependencies: [
                "Archives", "CurlTransport", "JQ", "LosslessJSON", "OAuth", "PlugCore", "PlugFetch", "PlugManifest",
                "PlugModules", "PlugStorage",
                "Signing", "TestKit", "Throttling",
            ]
        ),

        .target(
            name: "PlugNormalise",
            dependencies: ["Cryptography", "JQ", "LosslessJSON", "PlugCore", "PlugManifest"]
        ),
        .testTarget(
            name: "PlugNormaliseTests",
            dependencies: ["JQ", "LosslessJSON", "PlugCore", "PlugManifest", "PlugNormalise", "TestKit"]
        ),

        .target(name: "PDAWire", dependencies: ["LosslessJSON", "PlugCore"]),
        .testTarget(name: "PDAWireTests", dependencies: ["PDAWire", "LosslessJSON", "PlugCore"]),

        .target(
            name: "PlugDeliver",
            dependencies: ["CurlTransport", "LosslessJSON", "PDAWire", "PlugCore", "Throttling"]
        ),
        .testTarget(
            name: "PlugDeliverTests",
            dependencies: ["PlugDeliver", "CurlTransport", "LosslessJSON", "PDAWire", "PlugCore", "TestKit"]
        ),

        .target(
            name: "PDAClient",
            dependencies: [
                "Cryptography", "CurlTransport", "LosslessJSON", "PDAWire", "PlugCore",
            ]
        ),
        .testTarget(
            name: "PDAClientTests",
            dependencies: [
                "Cryptography", "PDAClient", "CurlTransport", "LosslessJSON", "PDAWire", "PlugCore", "PDASandbox",
                "TestKit",
            ]
        ),

        // MARK: When a connection is due
        .target(name: "Scheduling", dependencies: ["PlugCore"]),
        .testTarget(
            name: "SchedulingTests",
            dependencies: ["PlugCore", "Scheduling", "TestKit"],
            exclude: ["Answers"]
        ),

        // MARK: The host
        .target(
            name: "HostConfiguration",
            dependencies: ["CurlTransport", "LosslessJSON", "OAuth", "PlugCore", "PlugManifest"]
        ),
        .testTarget(
            name: "HostConfigurationTests",
            dependencies: [
                "CurlTransport", "HostConfiguration", "LosslessJSON", "OAuth", "PlugCore", "PlugManifest", "TestKit",
            ]
        ),

        // MARK: Store
        .target(
            name: "PlugStorage",
            dependencies: [
                "CMemory", "Cryptography", "PlugCore",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "PlugStorageTests",
            dependencies: [
                "Cryptography", "PlugStorage", "PlugCore", "TestKit",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),

        // MARK: One run
        .target(
            name: "PlugRuntime",
            dependencies: [
                "CPrefetch", "Cryptography", "CurlTransport", "JQ", "LosslessJSON", "OAuth", "PDAWire", "PlugCore",
                "PlugDeliver", "PlugFetch", "PlugManifest", "PlugNormalise", "PlugStorage", "Throttling",
            ]
        ),
        .testTarget(
            name: "PlugRuntimeTests",
            dependencies: [
                "CurlTransport", "LosslessJSON", "PDAWire", "PlugCore", "PlugDeliver", "PlugManifest", "PlugRuntime",
                "PlugStorage", "TestKit", "Throttling",
            ]
        ),

        // MARK: What a host does by itself
        .target(
            name: "Syncing",
            dependencies: [
                "Cryptography", "JQ", "LosslessJSON", "OAuth", "PlugCore", "PlugDeliver", "PlugFetch", "PlugManifest",
                "PlugRuntime",
                "PlugStorage", "Scheduling", "Signing", "Throttling",
            ]
        ),
        .testTarget(
            name: "SyncingTests",
            dependencies: [
                "Cryptography", "LosslessJSON", "OAuth", "PlugCore", "PlugDeliver", "PlugFetch", "PlugManifest",
                "PlugRuntime", "PlugStorage",
                "Scheduling", "Syncing", "TestKit",
            ]
        ),

        // MARK: How a person connects
        .target(
            name: "Connecting",
            dependencies: [
                "Cryptography", "CurlTransport", "JQ", "LosslessJSON", "OAuth", "PDAWire", "PlugCore", "PlugFetch",
                "PlugManifest", "PlugRuntime", "PlugStorage", "Signing", "Syncing", "Throttling",
            ]
        ),
        .testTarget(
            name: "ConnectingTests",
            dependencies: [
                "Connecting", "Cryptography", "CurlTransport", "LosslessJSON", "OAuth", "PDAWire", "PlugCore",
                "PlugFetch", "PlugManifest", "PlugRuntime", "PlugStorage", "Syncing", "TestKit", "Throttling",
            ]
        ),

        // MARK: Crashes and faults, simulated
        .testTarget(
            name: "DeliverySimulationTests",
            dependencies: [
                "CurlTransport", "LosslessJSON", "OAuth", "PDAWire", "PlugCore", "PlugFetch", "PlugManifest",
                "PlugRuntime", "PlugStorage", "TestKit",
            ]
        ),

        // MARK: Who is told what needs a person
        .target(
            name: "Noticing",
            dependencies: [
                "Cryptography", "CurlTransport", "LosslessJSON", "PlugCore", "PlugStorage", "Programs", "Throttling",
            ]
        ),
        .testTarget(
            name: "NoticingTests",
            dependencies: [
                "Cryptography", "CurlTransport", "LosslessJSON", "Noticing", "PlugCore", "PlugStorage", "TestKit",
            ]
        ),

        // MARK: Tests of plugs
        .target(
            name: "PlugTesting",
            dependencies: [
                "Archives", "CurlTransport", "Decoding", "JQ", "LosslessJSON", "OAuth", "PlugCore", "PlugFetch",
                "PlugManifest", "PlugNormalise", "Singer",
            ]
        ),
        .testTarget(
            name: "PlugTestingTests",
            dependencies: [
                "CurlTransport", "Decoding", "LosslessJSON", "PlugCore", "PlugManifest", "PlugModules", "PlugTesting",
                "TestKit",
            ]
        ),

        // MARK: Beginning a plug
        .target(name: "Scaffolding", dependencies: ["LosslessJSON", "PlugCore"]),
        .testTarget(
            name: "ScaffoldingTests",
            dependencies: ["LosslessJSON", "PlugCore", "PlugManifest", "Scaffolding", "TestKit"]
        ),

        // MARK: Plugs out of other systems' manifests
        .target(name: "Importing", dependencies: ["LosslessJSON", "PlugCore", "PlugManifest"]),
        .testTarget(
            name: "ImportingTests",
            dependencies: ["Importing", "JQ", "LosslessJSON", "PlugCore", "PlugManifest", "PlugTesting", "TestKit"]
        ),

        // MARK: Measuring
        .target(name: "Measuring", dependencies: ["PlugCore"]),
        .testTarget(name: "MeasuringTests", dependencies: ["Measuring"]),

        // MARK: Servers
        .target(
            name: "PDASandbox",
            dependencies: [
                "Cryptography", "CurlTransport", "LosslessJSON", "PDAWire", "PlugCore",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "PDASandboxTests",
            dependencies: [
                "Cryptography", "LosslessJSON", "PDAWire", "PlugCore", "PDASandbox", "TestKit",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),

        .target(
            name: "PlugHostWeb",
            dependencies: [
                "Connecting", "Cryptography", "CurlTransport", "LosslessJSON", "PDAWire", "PlugCore", "PlugManifest",
                "PlugRuntime", "PlugStorage", "Scheduling", "Syncing", "Throttling",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "PlugHostWebTests",
            dependencies: [
                "Connecting", "Cryptography", "CurlTransport", "LosslessJSON", "OAuth", "PDAWire", "PlugCore",
                "PlugHostWeb", "PlugManifest", "PlugRuntime", "PlugStorage", "Syncing", "TestKit", "Throttling",
            ]
        ),

        // MARK: Fetchers in Swift
        .target(name: "BundledFetchers", dependencies: ["LosslessJSON", "PlugModules"]),
        .testTarget(
            name: "BundledFetchersTests",
            dependencies: ["BundledFetchers", "LosslessJSON", "PlugCore", "PlugModules"]
        ),
        // The example of a package with a fetcher of its own, for tests: what its own Package.swift says, `Scripts/check-module` builds.
        .executableTarget(name: "journal", dependencies: ["DataPlug"], path: "Examples/journal/Sources/journal"),
        .target(name: "DataPlug", dependencies: ["LosslessJSON", "PlugCore", "PlugHostCLI", "PlugModules"]),

        // MARK: The command line
        .target(
            name: "PlugHostCLI",
            dependencies: [
                "BundledFetchers", "CClock", "CTCMalloc", "Connecting", "Cryptography", "CurlTransport", "Decoding",
                "HostConfiguration", "Importing",
                "JQ",
                "LosslessJSON", "Measuring", "Noticing", "OAuth",
                "PDAClient", "PDASandbox", "PDAWire", "PlugCore", "PlugDeliver", "PlugFetch", "PlugHostWeb",
                "PlugManifest", "PlugModules", "PlugRuntime", "PlugStorage", "PlugTesting", "Programs", "Scaffolding",
                "Scheduling", "Singer", "Syncing", "Throttling",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "PlugHostCLITests",
            dependencies: [
                "Cryptography", "CurlTransport", "HostConfiguration", "LosslessJSON", "PDAClient", "PlugCore",
                "PlugDeliver",
                "PlugHostCLI", "PlugManifest", "PlugModules", "PlugRuntime", "PlugStorage", "PlugTesting", "PDASandbox",
                "TestKit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(name: "plughost", dependencies: ["PlugHostCLI"]),
        // Very many connections at once, for `Benchmarks/host`.
        .executableTarget(
            name: "fill",
            dependencies: ["LosslessJSON", "PlugCore", "PlugStorage", "Syncing"],
            path: "Benchmarks/fill"
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Archives", "CurlTransport", "LosslessJSON", "PlugCore", "PlugStorage", "TestKit", "journal",
                "plughost",
            ],
            exclude: ["Programs"]
        ),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// One loop of upcoming features over every Swift target.
// SE-0335, SE-0444, SE-0409, SE-0461 in that order.
// PLUGHOST_STRICT=1 (CI) makes warnings errors here and leaves the dependencies alone.
let strict = Context.environment["PLUGHOST_STRICT"] == "1"
for target in package.targets where target.type != .system && target.name != "CSimdJSON" {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ] + (strict ? [.treatAllWarnings(as: .error)] : [])
}
