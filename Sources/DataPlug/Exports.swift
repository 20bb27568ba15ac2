// The author of a fetcher imports only DataPlug: these are the types of its API.
@_exported public import PlugModules

@_exported public import struct LosslessJSON.JSONError
@_exported public import struct LosslessJSON.JSONNumber
@_exported public import struct LosslessJSON.JSONObject
@_exported public import struct LosslessJSON.JSONString
@_exported public import enum LosslessJSON.JSONValue
@_exported public import struct PlugCore.Timestamp
