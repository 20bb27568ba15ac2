import Foundation
import PlugCore
import TestKit
import Testing

@testable import Programs

/// A hostile program tries to get out of the sandbox, one way at a time.
@Suite(.fewAtATime, .needsBubblewrap) struct EscapeTests {
    /// Ways that lead to nothing: the program says itself that it was held.
    static let held = [
        "finding a secret in its environment", "finding a secret in other processes' environments",
        "finding a secret in command lines", "seeing the processes of this machine", "reading a file of the user",
        "reading it through a link", "reading it through the root of the first process",
        "reading it through a working directory", "linking to it", "reading the passwords of the system",
        "reading the homes of others", "reading the home of root", "writing into the system",
        "writing into the configuration of the system", "writing at the top", "writing into the devices",
        "writing into its own program", "changing the kernel's settings", "pressing the magic key", "making a device",
        "reading the memory of the machine", "mounting", "mounting the system for writing", "changing the root",
        "opening files by their handles", "inheriting descriptors", "connecting to this machine",
        "connecting to this machine by IPv6", "connecting to the internet", "sending to a name server",
        "connecting to a socket of the user", "connecting to a socket without a file",
        "connecting to the machine below",
        "reading the packets of the network", "sending raw packets", "asking the kernel for ciphers",
        "asking the proxy for another host", "asking the proxy for another port",
        "asking the proxy for the machine's credentials", "asking the proxy for an address in one number",
        "asking the proxy for an address in IPv6", "asking the proxy with a user before the host",
        "asking the proxy with another host in the header", "asking the proxy for a name of this machine",
        "tracing another process", "letting itself be traced", "reading the memory of another process",
        "killing a process outside", "typing into a terminal", "adding a key", "reading keys",
        "loading a program into the kernel", "handling faults of pages", "asking the kernel by a ring",
        "measuring the processor", "making a user namespace", "making a namespace with a process",
        "entering a namespace", "making a file in memory", "making memory that others share", "becoming root",
        "restarting the machine", "calling by other numbers", "raising its limits", "taking 10 GiB of memory",
        "filling the disk with a file", "filling the disk with many files", "filling the shared memory",
        "leaving a daemon behind",
    ]

    @Test(arguments: held) func aHostileProgramIsHeld(_ way: String) async throws {
        let program = HostileProgram()
        let tried = try await program.attempt(way, stopping: false)
        #expect(tried.output.hasPrefix("held:"), "\(tried)")
        #expect(!tried.output.contains(program.canary))
        #expect(tried.end.cause == .exited(0), "\(tried)")
        #expect(program.survivors == [])
    }

    /// Ways that use up what there is of something.
    static let limited: [(way: String, limit: String)] = [
        ("taking memory in many processes", "memory (256 MiB)"), ("taking 10 GiB of shared memory", "memory (256 MiB)"),
        ("taking shared memory and hiding it", "memory (256 MiB)"),
        ("taking memory for tables of pages", "memory (256 MiB)"), ("filling sockets", "memory (256 MiB)"),
        ("flooding stdout", "output (4 MiB)"), ("flooding stderr", "output (4 MiB)"),
        ("writing a line without an end", "output (4 MiB)"),
    ]

    @Test(arguments: limited) func aProgramThatTakesTooMuchIsEnded(_ way: String, _ limit: String) async throws {
        let program = HostileProgram()
        let tried = try await program.attempt(way, stopping: false)
        #expect(tried.end.cause == .limit(limit))
        #expect(program.survivors == [])
    }

    @Test func aProgramThatForksWithoutEndIsEnded() async throws {
        var program = HostileProgram()
        program.limits.time = .seconds(4)
        let tried = try await program.attempt("forking without end", stopping: false)
        // The system gives it no more than it may have, so it runs out of time, and not of what its keeper counts.
        #expect(tried.end.cause == .limit("time (4s)"), "\(tried.end)")
        #expect(program.survivors == [])
    }

    @Test func aProgramGetsTheProcessesThatItMayHaveAndNoMoreWhoeverRunsIt() async throws {
        let program = HostileProgram()
        let tried = try await program.attempt("making forty processes", stopping: false)
        // Itself is the twenty-fourth.
        #expect(tried.output == "out: 23, Resource temporarily unavailable\n")
        #expect(tried.end.cause == .exited(0))
        #expect(tried.end.bound != nil)
        #expect(program.survivors == [])
    }

    @Test func aProgramThatRunsForEverIsEnded() async throws {
        var program = HostileProgram()
        program.limits.time = .seconds(1)
        let tried = try await program.attempt("running for ever", stopping: false)
        #expect(tried.end.cause == .limit("time (1s)"))
        #expect(program.survivors == [])
    }

    @Test func aProgramThatDoesNotEndWhenItIsAskedToIsKilled() async throws {
        let program = HostileProgram()
        let tried = try await program.attempt("not ending when it is asked to", stopping: true)
        #expect(tried.end.cause == .stopped)
        #expect(program.survivors == [])
    }

    @Test func aProgramThatTakesTooMuchWhileItIsEndingIsKilledAtOnce() async throws {
        var program = HostileProgram()
        // Without a limit of memory it would live that long. How far it gets before it is killed depends on the machine's speed.
        program.limits.grace = .seconds(3_600)
        let tried = try await program.attempt("taking memory when it is asked to end", stopping: true)
        #expect(tried.end.cause == .stopped)
        #expect(program.survivors == [])
    }

    @Test func theTestsKnowEveryWayOfTheHostileProgram() async throws {
        let known = Set(Self.held + Self.limited.map(\.way)).union([
            "forking without end", "making forty processes", "running for ever", "not ending when it is asked to",
            "taking memory when it is asked to end",
        ])
        let text = try String(contentsOfFile: HostileProgram.path, encoding: .utf8)
        let ways = text.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("    \"") else { return nil }
            return line.dropFirst(5).split(separator: "\"").first.map(String.init)
        }
        #expect(Set(ways) == known)
        #expect(known.count >= 40)
    }
}
