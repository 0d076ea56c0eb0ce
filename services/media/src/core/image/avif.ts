/** Prepares AVIF files for the decoder, which knows the format by the first brand only. */
import { open } from 'node:fs/promises'

const START = 4
const BRAND = 8
const NAME = Buffer.from('avif')

/**
 * Changes the first brand of an AVIF file, which is `avis` in an animation, to `avif`. The decoder then draws the still
 * picture that animations contain too. Returns true if the file is an animation.
 */
export const nameAvif = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r+')
  try {
    const { buffer: head, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    if (bytesRead < 16 || head.toString('latin1', START, BRAND) !== 'ftyp') return false
    const end = Math.min(head.readUInt32BE(0), bytesRead)
    const brands = Array.from({ length: Math.max(0, end - BRAND) >> 2 }, (_, at) =>
      head.toString('latin1', BRAND + 4 * at, BRAND + 4 * at + 4),
    )
    const isAnimation = brands.includes('avis')
    if (brands[0] !== 'avif' && (isAnimation || brands.includes('avif'))) await file.write(NAME, 0, NAME.length, BRAND)
    return isAnimation
  } finally {
    await file.close()
  }
}
