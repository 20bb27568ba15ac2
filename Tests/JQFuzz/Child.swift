import Foundation

/// Runs seed after seed and leaves word of each before it begins.
enum Child {
    /// The smallest stack that the engine promises to live with: half of it is what threads of a pool have, but a debug
    /// build's frames are larger.
    #if DEBUG
        private static let stack = 1 << 20
    #else
        private static let stack = 512 << 10
    #endif

    /// - Parameter notes: A file that holds the number of the seed that is being tried: it survives whatever happens.
    static func run(from first: UInt64, seconds: Double, notes: String) -> Never {
        let end = Date().addingTimeInterval(seconds)
        let thread = Thread {
            let note = open(notes, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            var seed = first
            var last: (seed: UInt64, trial: Trial)?
            while Date() < end {
                var number = seed
                pwrite(note, &number, 8, 0)
                let trial = Trial(seed: seed, after: last)
                last = (seed, trial)
                if let fault = trial.fault() {
                    say("seed \(seed): \(fault)")
                    exit(1)
                }
                var usage = rusage()
                getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
                if usage.ru_maxrss > 700 << 10 {
                    say("seed \(seed): the process holds \(usage.ru_maxrss >> 10) MiB")
                    exit(1)
                }
                seed += 1
            }
            say("\(seed - first)")
            exit(0)
        }
        thread.stackSize = stack
        thread.start()
        while true { sleep(1_000) }
    }
}
