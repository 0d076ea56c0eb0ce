/** Counts the rows of pixels that the compressed data of a truncated PNG contain. */
import { Readable } from 'node:stream'
import { constants, createInflate } from 'node:zlib'

const SIGNATURE = 8
/** Bytes of a chunk besides its data: length, type and checksum. */
const FRAME = 12
/** Channels of a pixel by colour type. */
const CHANNELS = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])

/** Data of the first chunk, and of the chunks with pixels. The last chunk may be incomplete. */
const chunksOf = (png: Buffer): { header: Buffer; pixels: Buffer[] } => {
  const pixels: Buffer[] = []
  for (let at = SIGNATURE; at + 8 <= png.length; at += png.readUInt32BE(at) + FRAME)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      pixels.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  return { header: png.subarray(SIGNATURE + 8, SIGNATURE + 8 + 13), pixels }
}

/** Number of bytes to which the data can be inflated, until they end or are damaged; not much more than `most`. */
const inflatedBytes = async (parts: readonly Buffer[], most: number): Promise<number> => {
  let bytes = 0
  try {
    const inflate = Readable.from(parts).pipe(
      createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 262_144 }),
    )
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
  const { header, pixels } = chunksOf(png)
  if (header.length < 13) return 0
  const height = header.readUInt32BE(4)
  const bits = header.readUInt32BE(0) * header.readUInt8(8) * (CHANNELS.get(header.readUInt8(9)) ?? 4)
  // Each row begins with a byte that names its filter.
  const row = Math.ceil(bits / 8) + 1
  return Math.min(height, Math.floor((await inflatedBytes(pixels, row * height)) / row))
}
