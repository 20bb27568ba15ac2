internal import CurlTransport
internal import Glibc
internal import PlugCore

/// One connection of a program, from its request for a host to its end. Blocks its thread.
struct EgressConnection {
    /// How long a connection may be silent, and how long a host may take to accept one, in milliseconds.
    private static let patience: Int32 = 300_000
    private static let connectPatience: Int32 = 30_000

    private let near: SharedDescriptor
    private let proxy: EgressProxy

    init(_ near: SharedDescriptor, _ proxy: EgressProxy) { (self.near, self.proxy) = (near, proxy) }

    func run() {
        defer { near.close() }
        guard let request = readRequest() else { return }
        let scheme = request.isTunnel ? "https" : "http"
        let host = request.host.lowercased()
        guard proxy.rules.names(host, request.port, scheme) else {
            proxy.refuse("\(host):\(request.port), which is not one of the plug's hosts")
            return answer("403 Forbidden", "plughost: the plug's hosts do not include this one: \(proxy.rules.list)")
        }
        guard let target = proxy.rules.policy.target(request.host, port: request.port, isSecure: request.isTunnel),
            proxy.rules.names(target.host, target.port, scheme)
        else { return refuseAddress(host, request.port) }
        let addresses = Resolution.addresses(of: target.host)
        if addresses.isEmpty { return answer("502 Bad Gateway", "plughost: the host has no address") }
        let allowed = addresses.filter(target.mayDial)
        if allowed.isEmpty { return refuseAddress(host, request.port) }
        guard let far = allowed.lazy.compactMap({ connect(to: $0, port: target.port) }).first else {
            return answer("502 Bad Gateway", "plughost: the host does not answer")
        }
        defer { far.close() }
        if request.isTunnel {
            guard write(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8), to: near) else { return }
        }
        let length = request.bodyLength ?? .max
        guard write(request.forwarded + request.rest.prefix(length), to: far) else { return }
        relay(far, atMost: max(0, length - request.rest.count))
    }

    private func refuseAddress(_ host: String, _ port: Int) {
        let reason = "neither on the public internet, by TLS, nor in a network of --allow-network"
        proxy.refuse("\(host):\(port), which is \(reason)")
        answer("403 Forbidden", "plughost: the host is \(reason)")
    }

    private func readRequest() -> ProxyRequest? {
        var head: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8 << 10)
        while ProxyRequest.end(of: head) == nil {
            guard head.count < ProxyRequest.limit, wait(for: near, Int16(POLLIN), Self.patience) else { return nil }
            let count = read(near.value, &chunk, chunk.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return nil }
            head += chunk.prefix(count)
        }
        if let request = ProxyRequest(head) { return request }
        answer(
            "400 Bad Request",
            "plughost: this proxy accepts CONNECT, and http:// for hosts in allowed networks, with the length of the body"
        )
        return nil
    }

    private func answer(_ status: String, _ text: String) {
        let body = text + "\n"
        let head =
            "HTTP/1.1 \(status)\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n"
        _ = write(Array((head + body).utf8), to: near)
    }

    /// Waits until a descriptor is ready, the program has ended, or the time is up.
    private func wait(for descriptor: SharedDescriptor, _ events: Int16, _ patience: Int32) -> Bool {
        while true {
            var watched = [
                pollfd(fd: proxy.stopped.value, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor.value, events: events, revents: 0),
            ]
            let ready = poll(&watched, 2, patience)
            if ready < 0, errno == EINTR { continue }
            return ready > 0 && watched[0].revents == 0
        }
    }

    private func connect(to address: IPAddress, port: Int) -> SharedDescriptor? {
        let family = address.bytes.count == 4 ? AF_INET : AF_INET6
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let far = SharedDescriptor(socket(family, type, 0))
        guard far.value >= 0 else { return nil }
        guard address.connect(far.value, port: port) == 0 || errno == EINPROGRESS,
            wait(for: far, Int16(POLLOUT), Self.connectPatience)
        else { return nil }
        var (error, length): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(far.value, SOL_SOCKET, SO_ERROR, &error, &length) == 0, error == 0 else { return nil }
        return far
    }

    private func write(_ bytes: [UInt8], to descriptor: SharedDescriptor) -> Bool {
        bytes.withUnsafeBytes { write($0, to: descriptor) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: SharedDescriptor) -> Bool {
        var sent = 0
        while sent < bytes.count {
            // MSG_NOSIGNAL: a closed peer is an error rather than a signal.
            let count = send(
                descriptor.value,
                bytes.baseAddress.map { $0 + sent },
                bytes.count - sent,
                Int32(MSG_NOSIGNAL)
            )
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN, wait(for: descriptor, Int16(POLLOUT), Self.patience) else { return false }
                continue
            }
            sent += count
        }
        return true
    }

    /// Relays bytes both ways until both have ended.
    ///
    /// - Parameter most: How many bytes of the program's are relayed.
    private func relay(_ far: SharedDescriptor, atMost most: Int) {
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        var isOpen = (near: true, far: true)
        var left = most
        while isOpen.near || isOpen.far {
            if left == 0 { isOpen.near = false }
            var watched = [
                pollfd(fd: proxy.stopped.value, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.near ? near.value : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOpen.far ? far.value : -1, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&watched, 3, Self.patience)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0, watched[0].revents == 0 else { return }
            if watched[1].revents != 0 {
                guard let goesOn = carry(from: near, to: far, &chunk, &left) else { return }
                isOpen.near = goesOn
            }
            if watched[2].revents != 0 {
                var unlimited = Int.max
                guard let goesOn = carry(from: far, to: near, &chunk, &unlimited) else { return }
                isOpen.far = goesOn
                // The host has finished sending: http is complete, and so is TLS.
                if !goesOn { return }
            }
        }
    }

    /// - Returns: Whether more may come; `nil` if the connection is broken.
    private func carry(
        from: SharedDescriptor,
        to: SharedDescriptor,
        _ chunk: inout [UInt8],
        _ left: inout Int
    ) -> Bool? {
        let count = read(from.value, &chunk, min(left, chunk.count))
        if count < 0 { return errno == EINTR || errno == EAGAIN ? true : nil }
        if count == 0 {
            shutdown(to.value, Int32(SHUT_WR))
            return false
        }
        if left != .max { left -= count }
        guard proxy.count(count),
            chunk.withUnsafeBytes({ write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: to) })
        else { return nil }
        return true
    }
}

/// Resolves names to addresses.
enum Resolution {
    /// The addresses of a host, or itself if it is an address. Blocks its thread for as long as the system's resolver takes.
    static func addresses(of host: String) -> [IPAddress] {
        if let address = IPAddress(host) { return [address] }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        // getaddrinfo(3) returns a list that freeaddrinfo frees; a failure leaves none.
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next {
            if let socketAddress = entry.pointee.ai_addr,
                let address = IPAddress(socketAddress: socketAddress, family: entry.pointee.ai_family),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}

extension IPAddress {
    /// connect(2), with its result.
    fileprivate func connect(_ descriptor: Int32, port: Int) -> Int32 {
        let number = UInt16(port).bigEndian
        if bytes.count == 4 {
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = number
            withUnsafeMutableBytes(of: &target.sin_addr) { $0.copyBytes(from: bytes) }
            return Self.connect(descriptor, &target)
        }
        var target = sockaddr_in6()
        target.sin6_family = sa_family_t(AF_INET6)
        target.sin6_port = number
        withUnsafeMutableBytes(of: &target.sin6_addr) { $0.copyBytes(from: bytes) }
        return Self.connect(descriptor, &target)
    }

    /// - Parameter target: A `sockaddr_in` or `sockaddr_in6`.
    private static func connect<Target>(_ descriptor: Int32, _ target: inout Target) -> Int32 {
        withUnsafeBytes(of: &target) { target in
            target.baseAddress.map {
                Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(target.count))
            } ?? -1
        }
    }
}
