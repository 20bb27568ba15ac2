import PlugCore
import Testing

struct HumanSizeTests {
    @Test(arguments: [
        ("0", 0), ("500000", 500_000), ("64KiB", 65_536), ("8MiB", 8_388_608), ("1GiB", 1_073_741_824),
        ("", nil), ("MiB", nil), ("8 MiB", nil), ("-1", nil), ("8MB", nil), ("1.5MiB", nil),
        ("99999999999GiB", nil),
    ])
    func readsABareCountOrAUnit(_ text: String, _ bytes: Int?) { #expect(HumanSize.parse(text) == bytes) }

    @Test(arguments: [
        (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"), (8 << 20, "8 MiB"),
        (1 << 40, "1024 GiB"),
    ])
    func showsTheLargestUnit(_ bytes: Int, _ text: String) { #expect(HumanSize.text(bytes) == text) }

    @Test(arguments: [
        (0, "0"), (500_000, "500000"), (1536, "1536"), (3 << 10, "3KiB"), (8 << 20, "8MiB"), (2048 << 30, "2048GiB"),
    ])
    func writesWhatItReads(_ bytes: Int, _ text: String) {
        #expect(HumanSize.notation(bytes) == text)
        #expect(HumanSize.parse(text) == bytes)
    }
}
