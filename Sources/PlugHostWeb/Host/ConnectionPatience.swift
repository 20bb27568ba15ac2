internal import NIOCore

/// Ends connections on which nothing complete arrives: a client that sends a header byte by byte, so that the connection is never
/// idle, has a minute for it.
///
/// It comes after the HTTP decoder, so that only a complete head or a piece of a body counts.
final class ConnectionPatience: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny
    typealias OutboundIn = NIOAny
    typealias OutboundOut = NIOAny

    private static let first = TimeAmount.seconds(15)
    private static let further = TimeAmount.seconds(60)
    private var end: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) { wait(Self.first, context) }

    func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        wait(Self.further, context)
        context.fireChannelRead(data)
    }

    func flush(context: ChannelHandlerContext) {
        wait(Self.further, context)
        context.flush()
    }

    private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        end?.cancel()
        let channel = context.channel
        end = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
