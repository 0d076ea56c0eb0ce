/** Checks the sizes in the headers of a tar archive, because the library tar-stream never ends for a negative size. */

const BLOCK = 512
const SIZE = { at: 124, end: 136 }
const CHECKSUM = { at: 148, end: 156 }
const SPACE = 0x20

const octal = (header: Buffer, { at, end }: typeof SIZE): number => {
  const text = header.toString('latin1', at, end).replaceAll('\0', ' ').trim()
  return text === '' ? 0 : Number.parseInt(text.split(' ')[0] ?? '', 8)
}

/** Size in the header of a tar entry. Large sizes are binary numbers, and negative sizes begin with the byte 0xff. */
const sizeIn = (header: Buffer): number => {
  const first = header[SIZE.at] ?? 0
  if ((first & 0x80) === 0) return octal(header, SIZE)
  return first === 0x80 ? Number(header.readBigUInt64BE(SIZE.end - 8)) : -1
}

const isHeader = (header: Buffer): boolean => {
  const sum = header.reduce((all, byte, at) => all + (at >= CHECKSUM.at && at < CHECKSUM.end ? SPACE : byte), 0)
  return sum === octal(header, CHECKSUM)
}

/** Throws if a header of the archive has a size that is negative or no number. The library tar-stream detects other errors. */
export const checkTarSizes = (tar: Buffer): void => {
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK)
    const isEmpty = header.every((byte) => byte === 0)
    if (!isEmpty && !isHeader(header)) return
    const size = isEmpty ? 0 : sizeIn(header)
    if (!(size >= 0)) throw new Error('The archive is damaged: an entry has no valid size.')
    at += BLOCK * (1 + Math.ceil(size / BLOCK))
  }
}
