// Code that depends on the product PDAClient imports only PDAClient: these are the types of its API.
@_exported public import CurlTransport
@_exported public import LosslessJSON

@_exported public import struct PDAWire.PDAFailure
@_exported public import struct PDAWire.TokenClaims
@_exported public import struct PlugCore.DataPath
@_exported public import struct PlugCore.Secret
@_exported public import struct PlugCore.Timestamp
