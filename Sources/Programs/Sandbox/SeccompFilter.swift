internal import Glibc

/// The system calls forbidden to a sandboxed program, as a kernel filter (seccomp(2), classic BPF).
///
/// The namespaces and dropped privileges are effective alone; this closes gaps in the kernel that they leave: tracing other
/// processes, keys, io_uring, pushing text into a terminal (CVE-2017-5226), sockets of families that no network namespace covers.
enum SeccompFilter {
    /// One instruction, `struct sock_filter`.
    private struct Instruction {
        let code: UInt16
        let jumpTrue: UInt8
        let jumpFalse: UInt8
        let value: UInt32
    }

    /// The filter for this machine's processor; `nil` if there is none for it.
    static var bytes: [UInt8]? {
        #if arch(x86_64)
            return encoded(
                architecture: 0xC000_003E,
                denied: x86,
                ioctl: 16,
                socket: 41,
                setsockopt: 54,
                clone: 56,
                clone3: 435
            )
        #elseif arch(arm64)
            return encoded(
                architecture: 0xC000_00B7,
                denied: arm,
                ioctl: 29,
                socket: 198,
                setsockopt: 208,
                clone: 220,
                clone3: 435
            )
        #else
            return nil
        #endif
    }

    /// With the same numbers everywhere: open_tree, move_mount, fsopen, fsconfig, fsmount, fspick; io_uring_setup, io_uring_enter,
    /// io_uring_register; pidfd_getfd, process_madvise, mount_setattr, memfd_secret, process_mrelease, set_mempolicy_home_node;
    /// open_tree_attr.
    private static let common: [UInt32] = [
        428, 429, 430, 431, 432, 433, 425, 426, 427, 438, 440, 442, 447, 448, 450, 467,
    ]

    /// ptrace, process_vm_readv, process_vm_writev, kcmp; mount, umount2, pivot_root, chroot, swapon, swapoff; unshare, setns;
    /// add_key, request_key, keyctl; bpf, userfaultfd, perf_event_open; memfd_create; reboot, kexec_load, kexec_file_load,
    /// init_module, finit_module, delete_module; acct, quotactl, settimeofday, clock_settime, clock_adjtime, adjtimex; syslog,
    /// name_to_handle_at, open_by_handle_at; shmget, shmat, semget, msgget; mbind, set_mempolicy, migrate_pages, move_pages;
    /// lookup_dcookie, vhangup, nfsservctl, sethostname, setdomainname; on x86 also iopl, ioperm, modify_ldt, uselib, create_module,
    /// personality, sysfs.
    private static let x86: [UInt32] =
        common + [
            101, 310, 311, 312, 165, 166, 155, 161, 167, 168, 272, 308, 248, 249, 250, 321, 323, 298, 319, 169, 246,
            320,
            175, 313, 176, 163, 179, 164, 227, 305, 159, 103, 303, 304, 29, 30, 64, 68, 237, 238, 256, 279, 212, 153,
            180,
            170, 171, 172, 173, 154, 134, 174, 135, 139,
        ]
    private static let arm: [UInt32] =
        common + [
            117, 270, 271, 272, 40, 39, 41, 51, 224, 225, 97, 268, 217, 218, 219, 280, 282, 241, 279, 142, 104, 294,
            105,
            273, 106, 89, 60, 170, 112, 266, 171, 116, 264, 265, 194, 196, 190, 186, 235, 237, 238, 239, 18, 58, 42,
            161,
            162, 92,
        ]

    // Offsets in `struct seccomp_data`.
    private static let number: UInt32 = 0
    private static let architectureField: UInt32 = 4
    private static func argument(_ index: UInt32) -> UInt32 { 16 + 8 * index }

    // BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, …|BPF_JGE, …|BPF_JSET, BPF_RET|BPF_K
    private static func load(_ offset: UInt32) -> Instruction {
        Instruction(code: 0x20, jumpTrue: 0, jumpFalse: 0, value: offset)
    }
    /// Returns the verdict if the comparison with the loaded word holds; otherwise skips it.
    private static func when(_ code: UInt16, _ value: UInt32, _ verdict: UInt32) -> [Instruction] {
        [Instruction(code: code, jumpTrue: 0, jumpFalse: 1, value: value), give(verdict)]
    }
    private static func give(_ verdict: UInt32) -> Instruction {
        Instruction(code: 0x06, jumpTrue: 0, jumpFalse: 0, value: verdict)
    }
    private static let equal: UInt16 = 0x15
    private static let atLeast: UInt16 = 0x35
    private static let anyBit: UInt16 = 0x45

    private static let allow: UInt32 = 0x7FFF_0000
    private static let kill: UInt32 = 0x8000_0000
    private static func fail(_ error: Int32) -> UInt32 { 0x0005_0000 | UInt32(error) }

    private static func encoded(
        architecture: UInt32,
        denied: [UInt32],
        ioctl: UInt32,
        socket: UInt32,
        setsockopt: UInt32,
        clone: UInt32,
        clone3: UInt32
    ) -> [UInt8] {
        var filter: [Instruction] = [load(architectureField)]
        // Another architecture numbers its calls differently: 32-bit programs do not run here.
        filter += [Instruction(code: equal, jumpTrue: 1, jumpFalse: 0, value: architecture), give(kill)]
        filter.append(load(number))
        // The numbers of x32 begin there; other architectures have none.
        filter += when(atLeast, 0x4000_0000, fail(ENOSYS))
        for call in denied { filter += when(equal, call, fail(EPERM)) }
        // Its arguments are where a filter cannot look: programs that get this error use the older call.
        filter += when(equal, clone3, fail(ENOSYS))

        func checking(_ call: UInt32, _ index: UInt32, _ checks: [Instruction]) {
            let body = [load(argument(index))] + checks + [give(allow)]
            filter.append(Instruction(code: equal, jumpTrue: 0, jumpFalse: UInt8(body.count), value: call))
            filter += body
        }
        // TIOCSTI, TIOCLINUX
        checking(ioctl, 1, when(equal, 0x5412, fail(EPERM)) + when(equal, 0x541C, fail(EPERM)))
        // The CLONE_NEW… flag of any namespace
        checking(clone, 0, when(anyBit, 0x7E02_0080, fail(EPERM)))
        // AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK, which reports on interfaces, are inside the network namespace.
        let families: [UInt32] = [1, 2, 10, 16]
        checking(
            socket,
            0,
            families.flatMap { when(equal, $0, allow) } + [give(fail(EAFNOSUPPORT))]
        )
        // SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE and SO_RCVBUFFORCE of SOL_SOCKET do nothing: what sockets hold is the system's memory.
        let buffers: [UInt32] = [7, 8, 32, 33]
        let ignoring = [load(argument(2))] + buffers.flatMap { when(equal, $0, fail(0)) }
        checking(
            setsockopt,
            1,
            [Instruction(code: equal, jumpTrue: 0, jumpFalse: UInt8(ignoring.count), value: 1)] + ignoring
        )
        filter.append(give(allow))
        var bytes: [UInt8] = []
        for instruction in filter {
            withUnsafeBytes(of: instruction.code) { bytes.append(contentsOf: $0) }
            bytes += [instruction.jumpTrue, instruction.jumpFalse]
            withUnsafeBytes(of: instruction.value) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
