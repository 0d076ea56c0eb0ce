/** Counts the rows of pixels that the compressed data of a truncated PNG contain. */
import { constants, createInflate } from 'node:zlib'

const SIGNATURE = 8
/** Bytes of a chunk besides its data: length, type and checksum. */
const FRAME = 12
/** Type of a chunk with pixels. */
const IDAT = 0x49_44_41_54
/** Channels of a pixel by colour type. */
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])

/**
 * Data of the first chunk, and of the chunks with pixels in one buffer, because a file may contain a million of them. The
 * last chunk may be incomplete.
 */
const dataOf = (png: Buffer): { header: Buffer; pixels: Buffer } => {
  const pixels = Buffer.allocUnsafe(png.length)
  let length = 0
  for (let at = SIGNATURE; at + 8 <= png.length; at += png.readUInt32BE(at) + FRAME)
    if (png.readUInt32BE(at + 4) === IDAT)
      length += png.copy(pixels, length, at + 8, Math.min(at + 8 + png.readUInt32BE(at), png.length))
  return { header: png.subarray(SIGNATURE + 8, SIGNATURE + 8 + 13), pixels: pixels.subarray(0, length) }
}

/** Number of bytes to which the data can be inflated, until they end or are damaged; not much more than `most`. */
const inflatedBytes = async (data: Buffer, most: number): Promise<number> => {
  let bytes = 0
  try {
    const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 262_144 })
    inflate.end(data)
    for await (const piece of inflate) {
      bytes += (piece as Buffer).length
      if (bytes >= most) break
    }
  } catch {
    // The bytes before the damaged part count.
  }
  return bytes
}

/** Number of complete rows in a PNG that is not interlaced. The decoder may not read the last of them. */
export const inflatedRows = async (png: Buffer): Promise<number> => {
  const { header, pixels } = dataOf(png)
  if (header.length < 13) return 0
  const height = header.readUInt32BE(4)
  const bits = header.readUInt32BE(0) * header.readUInt8(8) * (CHANNELS.get(header.readUInt8(9)) ?? 4)
  // Each row begins with a byte that names its filter.
  const row = Math.ceil(bits / 8) + 1
  return Math.min(height, Math.floor((await inflatedBytes(pixels, row * height)) / row))
}
