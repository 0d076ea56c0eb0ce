/** Detects encrypted mp4 files. Encrypted files cannot be shown, and have triggered flaws in decoders (A159). */

/** Boxes that contain the description of streams. The value is the number of bytes in the box before its first inner box. */
const INSIDE: Record<string, number> = { moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8, moof: 0, traf: 0 }
const SIGNS = new Set(['encv', 'enca', 'enct', 'encs', 'pssh', 'sinf'])
const MAX_BOXES = 10_000

/** Whether a `moov` box names an encryption scheme. `bytes`: the contents of the box. */
export const isEncrypted = (bytes: Buffer): boolean => {
  let left = MAX_BOXES
  const search = (from: number, to: number, depth: number): boolean => {
    for (let at = from; at + 8 <= to && left-- > 0; ) {
      const size = bytes.readUInt32BE(at)
      const type = bytes.toString('latin1', at + 4, at + 8)
      if (SIGNS.has(type)) return true
      const end = size === 0 ? to : at + size
      if (size !== 0 && size < 8) return false
      const skip = INSIDE[type]
      if (skip !== undefined && depth < 10 && search(at + 8 + skip, Math.min(end, to), depth + 1)) return true
      at = end
    }
    return false
  }
  return search(0, bytes.length, 0)
}
