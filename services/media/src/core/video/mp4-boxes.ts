/** Reads the description of streams of an mp4, without reading the streams. */
import { open } from 'node:fs/promises'

const MAX_BOXES = 1_000
/** Maximum bytes of the `moov` box of an mp4 (16 MiB). An hour of video has a smaller one. */
const MAX_BYTES = 16 * 1_048_576

/** The contents of the `moov` box. Returns null if the file has no `moov` box, or a too large one. */
export const readMoov = async (path: string): Promise<Buffer | null> => {
  const file = await open(path, 'r')
  try {
    const { size: total } = await file.stat()
    const head = Buffer.alloc(16)
    for (let at = 0, boxes = 0; at + 8 <= total && boxes < MAX_BOXES; boxes++) {
      await file.read(head, 0, 16, at)
      const small = head.readUInt32BE(0)
      const large = small === 1 ? head.readBigUInt64BE(8) : BigInt(small)
      const size = small === 0 ? total - at : Number(large)
      const header = small === 1 ? 16 : 8
      if (size < header) return null
      if (head.toString('latin1', 4, 8) === 'moov') {
        const length = Math.min(size, total - at) - header
        if (length > MAX_BYTES) return null
        const bytes = Buffer.alloc(length)
        await file.read(bytes, 0, length, at + header)
        return bytes
      }
      at += size
    }
    return null
  } finally {
    await file.close()
  }
}
