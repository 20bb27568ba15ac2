import CLibCURL
internal import Glibc

/// A socket for an address that libcurl wants to dial: the one place where every connection of this process begins.
///
/// - Parameters:
///   - purpose: What libcurl says the socket is for.
///   - address: The address; if it is refused, libcurl tries the host's next one.
///   - mayDial: Decides whether to dial it; `nil` is an address of an unknown family.
/// - Returns: The socket, which libcurl owns from here and closes; `CURL_SOCKET_BAD` if it may not be dialled.
func openSocket(
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?,
    ifAllowed mayDial: (IPAddress?) -> Bool
) -> curl_socket_t {
    let refused: curl_socket_t = -1
    guard let address, purpose == CURLSOCKTYPE_IPCXN else { return refused }
    let (family, kind, transport) = (address.pointee.family, address.pointee.socktype, address.pointee.protocol)
    guard mayDial(IPAddress(socketAddress: plughost_curl_socket_address(address), family: family)) else {
        return refused
    }
    return socket(family, kind | Int32(SOCK_CLOEXEC.rawValue), transport)
}
