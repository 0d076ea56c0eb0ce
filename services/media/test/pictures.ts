/** Creates real pictures for tests. */
import sharp from 'sharp'

/** Random noise, which encoders and decoders cannot process with shortcuts. */
export const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#3a7', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })

/** A photo like that of a mobile phone: rotated by its metadata, and with a position. */
export const telephoneJpeg = (width = 800, height = 600): Promise<Buffer> =>
  noise(width, height)
    .jpeg()
    .withExif({
      IFD0: { ImageDescription: 'SECRET-PLACE', Software: 'SECRET-PLACE' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer()

/** A GIF with `frames` frames, each of another colour. */
export const movingGif = async (width = 60, height = 40, frames = 4): Promise<Buffer> => {
  const all = Array.from({ length: frames }, (_, at) =>
    sharp({ create: { width, height, channels: 3, background: { r: 40 * at, g: 120, b: 200 - 40 * at } } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(all), { join: { animated: true } })
    .gif({ delay: 100 })
    .toBuffer()
}

/** A small PNG whose header claims a huge size. */
export const pngBomb = async (width: number, height: number): Promise<Buffer> => {
  const small = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } })
    .png()
    .toBuffer()
  small.writeUInt32BE(width, 16)
  small.writeUInt32BE(height, 20)
  small.writeUInt32BE(crc(small.subarray(12, 29)), 29)
  return small
}

const crc = (bytes: Buffer): number => {
  let sum = ~0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return ~sum >>> 0
}
