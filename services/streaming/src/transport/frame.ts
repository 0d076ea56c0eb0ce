/** Encodes WebSocket frames. One frame is shared by all connections that get the same event. */
import type { Outgoing } from '../connection/index.js'

/** An unmasked text frame of a server, ready for the wire (RFC 6455, 5.2). */
export const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text)
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = 0x81
  frame[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head === 4) frame.writeUInt16BE(length, 2)
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, head)
  return frame
}

/** Compares two stream names by value, because the channel of each connection has its own array. */
const isSameStream = (one: readonly string[], other: readonly string[]): boolean =>
  one === other || (one.length === other.length && one.every((word, i) => word === other[i]))

/** Encodes events as frames and reuses the last frame for an equal event. Events with a position are always encoded. */
export const createFramer = () => {
  let last: { event: Outgoing; frame: Buffer } | undefined
  return (event: Outgoing): Buffer => {
    if (
      last &&
      event.seq === null &&
      last.event.seq === null &&
      last.event.payload === event.payload &&
      last.event.event === event.event &&
      isSameStream(last.event.stream, event.stream)
    )
      return last.frame
    const text = JSON.stringify({
      stream: event.stream,
      event: event.event,
      ...(event.payload === undefined ? {} : { payload: event.payload }),
      ...(event.seq === null ? {} : { id: String(event.seq) }),
    })
    const frame = textFrame(text)
    last = { event, frame }
    return frame
  }
}
