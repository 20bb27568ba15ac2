// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "journal",
    dependencies: [.package(name: "plughost", path: "../..")],
    targets: [
        .executableTarget(name: "journal", dependencies: [.product(name: "DataPlug", package: "plughost")])
    ],
    swiftLanguageModes: [.v6]
)
