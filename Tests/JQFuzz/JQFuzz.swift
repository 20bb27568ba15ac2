import Foundation

/// `jq-fuzz [SECONDS [SEED]]` tries made-up programs on made-up inputs in a process of their own, and tells the seed of each
/// that ends it, takes too long, holds too much or gives two answers. `jq-fuzz --seed N` shows one and runs it.
@main
enum JQFuzz {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--seed", let seed = arguments.dropFirst().first.flatMap({ UInt64($0) }) {
            let trial = Trial(seed: seed)
            say("program: \(trial.source)\ninput:   \(trial.input)")
            say(trial.fault() ?? "all is well")
        } else if arguments.first == "--child", arguments.count == 4, let first = UInt64(arguments[1]),
            let seconds = Double(arguments[2])
        {
            Child.run(from: first, seconds: seconds, notes: arguments[3])
        } else {
            let seconds = arguments.first.flatMap { Double($0) } ?? 60
            let first = arguments.dropFirst().first.flatMap { UInt64($0) } ?? UInt64(Date().timeIntervalSince1970) << 20
            exit(try Watch(seconds: seconds, first: first).run())
        }
    }
}

/// Writes a line at once: the process may end any moment.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
