// swift-tools-version: 6.2
import PackageDescription

// Depends on plughost as an app does: by the product PDAClient and nothing else. Scripts/check-client builds and runs it.
let package = Package(
    name: "outside",
    dependencies: [.package(name: "plughost", path: "../..")],
    targets: [
        .executableTarget(
            name: "outside",
            dependencies: [.product(name: "PDAClient", package: "plughost")],
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
        )
    ],
    swiftLanguageModes: [.v6]
)
