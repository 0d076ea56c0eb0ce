/** Tests of the image pipeline with real pictures and with malformed ones. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { refusedPicture } from '../file/upload.rules.js'
import { type Order, render, restrict } from './image.js'
import { inflatedRows } from './png-rows.js'

// Encoders take long on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'image-test-'))
})
afterAll(() => rm(dir, { recursive: true }))

const noise = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: '#3a7', noise: { type: 'gaussian', mean: 128, sigma: 30 } } })

/** A picture whose left half is red and whose right half is blue. */
const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: '#00f' } },
      left: width / 2,
      top: 0,
    },
  ])

const USUAL = { maxPixels: 33_177_600, maxFramePixels: 921_600, avif: false, motion: 'refuse', still: false } as const
const make = async (bytes: Buffer, more: Partial<Order> = {}) => {
  const input = join(dir, 'in')
  await writeFile(input, bytes)
  restrict(more.avif ?? false)
  const result = await render({
    ...USUAL,
    input,
    dir,
    main: { area: 8_294_400 },
    small: { area: 230_400 },
    smallPng: false,
    ...more,
  })
  if (result.refused !== null) throw new Error(result.refused)
  return result
}

test('the copies of an animation that states an orientation have its sides', async () => {
  const frames = await Promise.all([halves(80, 40), halves(80, 40).negate()].map((one) => one.png().toBuffer()))
  const webp = await sharp(frames, { join: { animated: true } })
    .webp()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const wide = { width: 80, height: 40 }
  expect(await make(webp, { motion: 'keep', still: true })).toMatchObject({
    size: wide,
    main: wide,
    still: wide,
    small: wide,
  })
  const tall = { width: 40, height: 80 }
  expect(await make(webp, { motion: 'still' })).toMatchObject({ size: tall, main: tall, small: tall })
})

test('A165 orientation is applied, and copies contain no position, comments or thumbnails', async () => {
  const jpeg = await halves(400, 200)
    .jpeg()
    .withExif({
      IFD0: { ImageDescription: 'SECRET-PLACE', Orientation: '6' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>SECRET-PLACE</a></x:xmpmeta>')
    .withMetadata({ orientation: 6 })
    .toBuffer()
  expect(jpeg.includes('SECRET-PLACE')).toBe(true)
  const result = await make(jpeg)
  expect(result.size).toEqual({ width: 200, height: 400 })
  expect(result.main).toMatchObject({ width: 200, height: 400, mediaType: 'image/jpeg' })
  const copies = await Promise.all([result.main!, result.small!].map(({ path }) => readFile(path)))
  for (const copy of copies) {
    expect(copy.includes('SECRET-PLACE')).toBe(false)
    const { exif, xmp, iptc, icc, orientation } = await sharp(copy).metadata()
    expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
  }
  // After a quarter turn clockwise, the left half is at the top.
  const [red = 0, , blue = 0] = await sharp(copies[0])
    .extract({ left: 100, top: 20, width: 1, height: 1 })
    .raw()
    .toBuffer()
  expect(red).toBeGreaterThan(200)
  expect(blue).toBeLessThan(60)
})

test('D054 copies contain no PNG text and no WebP EXIF', async () => {
  const png = await noise(40, 30)
    .png()
    .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
    .toBuffer()
  const webp = await noise(40, 30)
    .webp()
    .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
    .toBuffer()
  for (const [bytes, type] of [
    [png, 'image/png'],
    [webp, 'image/webp'],
  ] as const) {
    expect(bytes.includes('SECRET-PLACE')).toBe(true)
    const { main } = await make(bytes)
    expect(main!.mediaType).toBe(type)
    expect((await readFile(main!.path)).includes('SECRET-PLACE')).toBe(false)
  }
})

test('a large picture is scaled to the stored and the preview area, and has a blurhash of 4 × 4', async () => {
  const { main, small, blurhash } = await make(
    await sharp(await noise(440, 220).png().toBuffer())
      .resize(4_400, 2_200)
      .jpeg()
      .toBuffer(),
  )
  expect(main!.width * main!.height).toBeLessThanOrEqual(8_294_400)
  expect(main!.width / main!.height).toBeCloseTo(2, 2)
  expect(small!.width * small!.height).toBeLessThanOrEqual(230_400)
  expect(small!.width * small!.height).toBeGreaterThan(229_000)
  // The first character encodes the number of components: (4 - 1) + (4 - 1) × 9.
  expect(blurhash).toMatch(/^U/)
  expect(blurhash).toHaveLength(4 + 2 + 30)
})

test('an animation of more than a thousand frames is left to ffmpeg, refused, or becomes a still', async () => {
  const raw = { width: 4, height: 4 * 1_200, channels: 3, pageHeight: 4 } as const
  const gif = await sharp(randomBytes(raw.width * raw.height * raw.channels), { raw })
    .gif({ delay: 20 })
    .toBuffer()
  expect((await sharp(gif).metadata()).pages).toBe(1_200)
  await expect(make(gif, { motion: 'leave' })).rejects.toThrow('moves')
  await expect(make(gif, { motion: 'refuse' })).rejects.toThrow('too-many-frames')
  for (const motion of ['keep', 'still'] as const) {
    const { main } = await make(gif, { motion })
    expect((await sharp(main!.path, { animated: true }).metadata()).pages ?? 1).toBe(1)
  }
})

test('grey, CMYK, 16-bit and transparent pictures become pictures that browsers show', async () => {
  const grey = await make(await noise(60, 40).greyscale().jpeg().toBuffer())
  expect(grey.small).toMatchObject({ mediaType: 'image/jpeg', width: 60, height: 40 })
  const cmyk = await make(await noise(60, 40).toColourspace('cmyk').jpeg().toBuffer())
  expect((await sharp(cmyk.main!.path).metadata()).space).toBe('srgb')
  const deep = await make(await noise(60, 40).toColourspace('rgb16').png().toBuffer())
  expect((await sharp(deep.main!.path).metadata()).depth).toBe('uchar')
  const clear = await make(await noise(60, 40, 4).ensureAlpha(0.5).png().toBuffer())
  expect([clear.main!.mediaType, clear.small!.mediaType]).toEqual(['image/png', 'image/webp'])
  expect((await sharp(clear.small!.path).metadata()).hasAlpha).toBe(true)
})

test('an animation stays one if allowed, has a still copy, and is refused if it is too long', async () => {
  const frames = await Promise.all(
    Array.from({ length: 3 }, (_, i) =>
      noise(50, 40)
        .modulate({ hue: i * 90 })
        .png()
        .toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: 100 })
    .toBuffer()
  const result = await make(gif, { still: true, main: { cover: { width: 20, height: 20 } }, motion: 'still' })
  expect(result.still).toBeNull()
  expect((await sharp(result.main!.path).metadata()).pages).toBe(1)
  const slow = await make(gif, { still: true, main: { cover: { width: 20, height: 20 } }, motion: 'keep', motionMs: 0 })
  expect(slow).toMatchObject({ isBusy: true, still: null, main: { mediaType: 'image/gif' } })
  expect((await sharp(slow.main!.path).metadata()).pages ?? 1).toBe(1)
  const moving = await make(gif, { still: true, main: { cover: { width: 20, height: 20 } }, motion: 'keep' })
  expect(await sharp(moving.main!.path).metadata()).toMatchObject({ format: 'gif', pages: 3, width: 20, height: 20 })
  expect(moving.main).toMatchObject({ width: 20, height: 20 })
  expect(await sharp(moving.still!.path).metadata()).toMatchObject({ format: 'png', width: 20, height: 20 })
  await expect(make(gif, { maxPixels: 5_000 })).rejects.toThrow('too-many-frames')
  await expect(make(gif, { maxFramePixels: 1_000 })).rejects.toThrow('too-many-pixels')
})

test.each([
  [[100, 100, 100, 3_000], 0],
  [[500, 2_000, 50], 3],
  // The largest and the smallest delay that the library writes, in milliseconds.
  [[65_530, 10], 2],
])('an animation keeps its delays of %j ms, and its number of repetitions %j', async (delays, loop) => {
  const frames = await Promise.all(
    delays.map((_, at) =>
      noise(40, 30)
        .modulate({ hue: at * 80 })
        .png()
        .toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif({ delay: delays, loop })
    .toBuffer()
  expect((await sharp(gif).metadata()).delay).toEqual(delays)
  for (const main of [{ area: 8_294_400 }, { cover: { width: 20, height: 20 } }]) {
    const { main: made } = await make(gif, { main, motion: 'keep' })
    expect(await sharp(made!.path).metadata()).toMatchObject({ pages: delays.length, delay: delays, loop })
  }
})

const chunk = (name: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(name), data])
  const out = Buffer.alloc(8)
  out.writeUInt32BE(data.length, 0)
  let crc = ~0
  for (const byte of body) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  out.writeUInt32BE(~crc >>> 0, 4)
  return Buffer.concat([out.subarray(0, 4), body, out.subarray(4)])
}
/** A small PNG whose header claims a huge size. */
const bomb = (width: number, height: number) => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('hostile 109 D053 a picture with too many pixels is refused by its header, without decoding', async () => {
  // The measured time includes all threads, also those of libvips.
  const started = process.cpuUsage()
  await expect(make(bomb(50_000, 50_000))).rejects.toThrow('too-many-pixels')
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000)
})

test('D051 truncated, malformed and disguised files are refused', async () => {
  const jpeg = await noise(300, 200).jpeg().toBuffer()
  await expect(make(jpeg.subarray(0, jpeg.length / 2))).rejects.toThrow('broken')
  await expect(make(bomb(100, 100))).rejects.toThrow('broken')
  await expect(make(Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(2_000, 7)]))).rejects.toThrow('unreadable')
  await expect(make(Buffer.from('<html>'))).rejects.toThrow('unreadable')
})

test.each([
  ['its end marker', 2],
  ['its last rows', 1_200],
])('a JPEG without %s is accepted, and missing rows are grey', async (_what, missing) => {
  const jpeg = await noise(300, 200).jpeg().toBuffer()
  const { main } = await make(jpeg.subarray(0, jpeg.length - missing))
  expect(main).toMatchObject({ mediaType: 'image/jpeg', width: 300, height: 200 })
})

/** A square picture whose lower half has one colour. */
const plainBelow = async (colour: string, side = 300) => {
  const rows = { create: { width: side, height: side / 2, channels: 3, background: colour } } as const
  return sharp(await noise(side, side).png().toBuffer()).composite([{ input: rows, left: 0, top: side / 2 }])
}
/** The grey with which the decoder fills missing rows, and a similar one. */
const GREYS = ['#808080', '#7f8180']

describe.each(['white', 'black', ...GREYS])('a JPEG with rows of the colour %s at its end', (colour) => {
  test.each([
    ['sequential', {}],
    ['sequential, of full colour resolution', { chromaSubsampling: '4:4:4' }],
    ['progressive', { progressive: true }],
  ] as const)('is accepted without its end marker: %s', async (_what, options) => {
    for (const side of [300, 16]) {
      const jpeg = await (await plainBelow(colour, side)).jpeg(options).toBuffer()
      const { main } = await make(jpeg.subarray(0, jpeg.length - 2))
      expect(main).toMatchObject({ mediaType: 'image/jpeg', width: side, height: side })
    }
  })

  test('is refused if more than a third of its rows is missing', async () => {
    const jpeg = await (await plainBelow(colour)).jpeg().toBuffer()
    await expect(make(jpeg.subarray(0, jpeg.length * 0.7))).rejects.toThrow('broken')
  })
})

test('a grey JPEG without its end marker is accepted', async () => {
  for (const background of GREYS)
    for (const progressive of [false, true]) {
      const whole = sharp({ create: { width: 200, height: 100, channels: 3, background } })
      const jpeg = await whole.jpeg({ progressive }).toBuffer()
      expect((await make(jpeg.subarray(0, jpeg.length - 2))).main).toMatchObject({ width: 200, height: 100 })
    }
})

test('a progressive JPEG without its last scans is accepted', async () => {
  const jpeg = await (await plainBelow('#808080')).jpeg({ progressive: true }).toBuffer()
  const { main } = await make(jpeg.subarray(0, jpeg.length / 2))
  expect(main).toMatchObject({ mediaType: 'image/jpeg', width: 300, height: 300 })
})

test('a progressive JPEG is refused if its first scan lacks more than a third of the rows', async () => {
  const jpeg = await noise(300, 200).jpeg({ progressive: true }).toBuffer()
  await expect(make(jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda])) + 200))).rejects.toThrow('broken')
})

test.each([
  ['PNG', 0.9, async () => noise(300, 200).png().toBuffer(), 'image/png'],
  ['PNG with transparency', 0.9, async () => noise(300, 200).ensureAlpha(0.5).png().toBuffer(), 'image/png'],
  ['WebP', 0.9, async () => noise(300, 200).webp().toBuffer(), 'image/webp'],
  ['WebP with transparency', 0.9, async () => noise(300, 200).ensureAlpha(0.5).webp().toBuffer(), 'image/webp'],
  ['GIF', 0.9, async () => noise(300, 200).gif().toBuffer(), 'image/gif'],
])('a truncated %s is accepted, and missing rows are transparent', async (_what, part, bytes, mediaType) => {
  const whole = await bytes()
  const cut = whole.subarray(0, Math.floor(whole.length * part))
  const { main, small } = await make(cut, { small: { side: 400 } })
  expect(main).toMatchObject({ mediaType, width: 300, height: 200 })
  expect(small?.mediaType).toBe('image/webp')
  const { data } = await sharp(main?.path).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const alphaOf = (row: number): Set<number | undefined> =>
    new Set(Array.from({ length: 300 }, (_, x) => data[(row * 300 + x) * 4 + 3]))
  expect(alphaOf(199)).toEqual(new Set([0]))
  for (const row of [0, 130]) expect(alphaOf(row).has(0), `row ${row}`).toBe(false)
})

describe.each([
  ['black', 1],
  ['transparent', 0],
])('a picture whose lower half is %s', (_what, alpha) => {
  const halfEmpty = async () => {
    const half = sharp(await noise(300, 150).png().toBuffer()).ensureAlpha(1)
    return half.extend({ bottom: 150, background: { r: 0, g: 0, b: 0, alpha } })
  }
  const alphaAt = async (path: string | undefined, top: number) =>
    (await sharp(path).ensureAlpha().extract({ left: 9, top, width: 1, height: 1 }).raw().toBuffer())[3]

  test.each([
    // The checksums of the last two chunks, and the terminators of a GIF.
    ['PNG', 14, async () => (await halfEmpty()).removeAlpha().png({ compressionLevel: 9 }).toBuffer(), 255],
    ['PNG with transparency', 14, async () => (await halfEmpty()).png().toBuffer(), 255 * alpha],
    ['GIF', 2, async () => (await halfEmpty()).gif().toBuffer(), 255 * alpha],
  ])('is accepted without the last bytes of its %s, and keeps its rows', async (_type, missing, bytes, shown) => {
    const whole = await bytes()
    const { main } = await make(whole.subarray(0, whole.length - missing))
    expect(main).toMatchObject({ width: 300, height: 300 })
    expect([await alphaAt(main?.path, 100), await alphaAt(main?.path, 200)]).toEqual([255, shown])
  })
})

test.each([
  [3, 'none'],
  [4, 'none'],
  [3, 'adaptive'],
] as const)(
  'of a large truncated PNG with %d channels and the row filter %s, only missing rows are transparent, and too many are refused',
  async (channels, filter) => {
    const side = 1_600
    const picture = channels === 3 ? noise(side, side) : noise(side, side).ensureAlpha(0.5)
    const whole = await picture.png({ adaptiveFiltering: filter === 'adaptive', compressionLevel: 1 }).toBuffer()
    await expect(make(whole.subarray(0, whole.length * 0.5))).rejects.toThrow('broken')
    const cut = whole.subarray(0, Math.floor(whole.length * 0.8))
    const { main } = await make(cut)
    const alpha = await sharp(main?.path).extractChannel('alpha').raw().toBuffer()
    const first = Array.from({ length: side }, (_, row) => alpha[row * side] ?? 0).indexOf(0)
    // The compressed noise is spread evenly over the rows.
    const rows = await inflatedRows(cut)
    expect(rows / side).toBeCloseTo(0.8, 1)
    expect(rows - first).toBeGreaterThanOrEqual(0)
    // The decoder reads strips of 16 rows.
    expect(rows - first).toBeLessThanOrEqual(16)
    const shown = (from: string | Buffer | undefined) =>
      sharp(from).removeAlpha().extract({ left: 0, top: 0, width: side, height: first }).raw().toBuffer()
    expect((await shown(main?.path)).equals(await shown(whole))).toBe(true)
    expect(alpha.subarray(first * side).every((one) => one === 0)).toBe(true)
  },
)

test('the data of a PNG with a million empty chunks are inflated in one piece', async () => {
  const chunk = (type: string, data: readonly number[]) => {
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length)
    frame.write(type, 4)
    return Buffer.concat([frame, Buffer.from(data), Buffer.alloc(4)])
  }
  // 200 rows of four grey pixels, each with a byte for its filter, in chunks of one byte.
  const header = chunk('IHDR', [0, 0, 0, 4, 0, 0, 0, 200, 8, 0, 0, 0, 0])
  const data = [...deflateSync(Buffer.alloc(1_000))].map((byte) => chunk('IDAT', [byte]))
  const empty = Buffer.alloc(12 * 1_048_576, chunk('IDAT', []))
  const writes = vi.spyOn(Duplex.prototype, 'write')
  try {
    expect(await inflatedRows(Buffer.concat([Buffer.alloc(8), header, ...data, empty]))).toBe(200)
    expect(await inflatedRows(Buffer.concat([Buffer.alloc(8), header, empty, ...data]))).toBe(200)
    expect(writes.mock.calls.length).toBeLessThanOrEqual(2)
  } finally {
    writes.mockRestore()
  }
})

test.each([
  ['small', 300, 13],
  ['small', 300, 16],
  ['large', 1_600, 14],
])(
  'a %s PNG of %d rows without its last %d bytes keeps all rows, and gets no alpha channel',
  async (_size, side, missing) => {
    const whole = await noise(side, side).png().toBuffer()
    const { main, small } = await make(whole.subarray(0, whole.length - missing))
    expect([(await sharp(main?.path).metadata()).hasAlpha, small?.mediaType]).toEqual([false, 'image/jpeg'])
    const pixelsOf = (from: string | Buffer | undefined) => sharp(from).raw().toBuffer()
    expect((await pixelsOf(main?.path)).equals(await pixelsOf(whole))).toBe(true)
  },
)

test('a PNG that lacks a byte of its pixels gets an alpha channel', async () => {
  const whole = await noise(300, 300).png().toBuffer()
  // The last chunk (12 bytes), the checksums of the pixels (8 bytes), and a byte of the pixels.
  const { main } = await make(whole.subarray(0, whole.length - 21))
  expect((await sharp(main?.path).metadata()).hasAlpha).toBe(true)
})

test('a picture with too many missing rows is refused as damaged', async () => {
  for (const picture of [noise(300, 200).png(), noise(300, 200).webp(), noise(300, 200).gif()]) {
    const whole = await picture.toBuffer()
    for (const part of [0.5, 0.05])
      await expect(make(whole.subarray(0, Math.floor(whole.length * part)))).rejects.toThrow(/broken|unreadable/)
  }
  // Of a lossless WebP with many colours, only a missing end can be completed.
  const lossless = await noise(300, 200).blur(9).webp({ lossless: true }).toBuffer()
  await expect(make(lossless.subarray(0, Math.floor(lossless.length * 0.6)))).rejects.toThrow('broken')
})

test('a WebP without its last byte is decoded completely', async () => {
  const whole = await noise(300, 200).webp().toBuffer()
  const { main, small } = await make(whole.subarray(0, whole.length - 1))
  expect([main?.mediaType, main?.height, small?.mediaType]).toEqual(['image/webp', 200, 'image/jpeg'])
})

test('D052 SVG, TIFF and AVIF are refused; if enabled, AVIF is accepted and becomes JPEG', async () => {
  const avif = await noise(40, 30).avif({ effort: 0 }).toBuffer()
  const tiff = await noise(40, 30).tiff().toBuffer()
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  )
  await expect(make(svg)).rejects.toThrow('unreadable')
  await expect(make(tiff)).rejects.toThrow('unreadable')
  await expect(make(avif)).rejects.toThrow('unreadable')
  expect((await make(avif, { avif: true })).main).toMatchObject({ mediaType: 'image/jpeg', width: 40 })
})

describe('an animated AVIF', () => {
  /** A still AVIF whose first brand is that of animations, as encoders write animations with a still picture. */
  const animated = async () => {
    const bytes = await noise(40, 30).avif({ effort: 0 }).toBuffer()
    bytes.write('avis', 8)
    return bytes
  }
  test('becomes the JPEG of its still picture', async () => {
    const { mediaType, main, small } = await make(await animated(), { avif: true })
    expect([mediaType, main, small]).toMatchObject([
      'image/avif',
      { mediaType: 'image/jpeg', width: 40, height: 30 },
      { mediaType: 'image/jpeg' },
    ])
  })
  test('without a still picture is refused by that name, and all are if AVIF is not enabled', async () => {
    const bytes = await animated()
    bytes.write('free', bytes.indexOf('meta'))
    await expect(make(bytes, { avif: true })).rejects.toThrow('no-still')
    await expect(make(await animated())).rejects.toThrow('unreadable')
    expect(() => {
      throw refusedPicture('no-still', null)
    }).toThrow('Animated AVIF pictures without a still picture are not supported')
  })
  test('of a few bytes is refused', async () => {
    const head = Buffer.from('\0\0\0\u0010ftypavis', 'latin1')
    for (const bytes of [head, Buffer.concat([head, Buffer.alloc(4)]), Buffer.alloc(3)])
      await expect(make(bytes, { avif: true })).rejects.toThrow(/unreadable|no-still/)
  })
})

describe('an animated PNG', () => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const
    ends[0].writeUInt32BE(data.length)
    ends[1].writeUInt32BE(crc32(body))
    return Buffer.concat([ends[0], body, ends[1]])
  }
  const numbers = (...all: number[]) => {
    const data = Buffer.alloc(all.length * 4)
    for (const [i, value] of all.entries()) data.writeUInt32BE(value, i * 4)
    return data
  }
  interface Part {
    side: number
    left: number
    /** RGBA of all pixels. */
    color: readonly number[]
    dispose: number
    blend: number
    /** Delay in milliseconds; 250 by default. */
    delay?: number
  }
  const pixels = ({ side, color }: Part) => {
    const row = Buffer.from([0, ...Array.from({ length: side }, () => color).flat()])
    return deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))
  }
  /** `first`: whether the picture for other programs is the first frame. */
  const animation = (side: number, parts: readonly Part[], first = true) => {
    let sequence = 0
    const frames = parts.flatMap((part, i) => [
      chunk(
        'fcTL',
        Buffer.concat([
          numbers(sequence++, part.side, part.side, part.left, part.left),
          numbers(((part.delay ?? 250) << 16) + 1_000),
          Buffer.from([part.dispose, part.blend]),
        ]),
      ),
      i === 0 && first
        ? chunk('IDAT', pixels(part))
        : chunk('fdAT', Buffer.concat([numbers(sequence++), pixels(part)])),
    ])
    const other = { side, left: 0, color: [0, 0, 0, 255], dispose: 0, blend: 0 }
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', Buffer.concat([numbers(side, side), Buffer.from([8, 6, 0, 0, 0])])),
      chunk('acTL', numbers(parts.length, 2)),
      ...(first ? [] : [chunk('IDAT', pixels(other))]),
      ...frames,
      chunk('IEND', Buffer.alloc(0)),
    ])
  }
  const RED = [255, 0, 0, 255]
  const whole = { side: 64, left: 0, color: RED, dispose: 0, blend: 0 }
  const parts = [
    whole,
    { side: 32, left: 16, color: [0, 0, 255, 255], dispose: 2, blend: 1 },
    { side: 32, left: 16, color: [0, 255, 0, 128], dispose: 1, blend: 1 },
    { side: 16, left: 48, color: [0, 0, 255, 128], dispose: 0, blend: 0 },
  ]
  const picture = { motion: 'keep', still: true, small: null, main: { side: 32 } } as const
  /** Pixels of the copy at its left edge, in the middle, and at its right edge, of each frame. */
  const seen = async (path: string) => {
    const image = sharp(path, { animated: true }).ensureAlpha()
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
    const { width, pageHeight: height = info.height } = info
    return Array.from({ length: info.height / height }, (_, page) =>
      [[1, 1] as const, [16, 16] as const, [29, 29] as const].map(([x, y]) => {
        const at = ((page * height + y) * width + x) * 4
        const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
        // The colour of a transparent pixel is lost.
        return alpha === 0 ? none : [red, green, blue, alpha].map((value) => Math.round(value / 64) * 64)
      }),
    )
  }
  const [red, blue, none] = [
    [256, 0, 0, 256],
    [0, 0, 256, 256],
    [0, 0, 0, 0],
  ]

  test.each([true, false])(
    'stays an animation in a picture; its first frame is for all programs: %s',
    async (first) => {
      const { main, still, mediaType } = await make(animation(64, parts, first), picture)
      expect([mediaType, main]).toMatchObject(['image/webp', { width: 32, height: 32, mediaType: 'image/webp' }])
      const { pages, loop, delay } = await sharp(main!.path, { animated: true }).metadata()
      expect({ pages, loop, delay }).toEqual({ pages: 4, loop: 2, delay: [250, 250, 250, 250] })
      const frames = await seen(main!.path)
      expect([frames[0], frames[1]]).toEqual([
        [red, red, red],
        [red, blue, red],
      ])
      expect(frames[2]).toEqual([red, [128, 128, 0, 256], red])
      // The area of the third frame was cleared, and the fourth frame replaces the pixels in its area.
      expect(frames[3]).toEqual([red, none, [0, 0, 256, 128]])
      expect(still).toMatchObject({ mediaType: 'image/png', width: 32 })
      expect(await seen(still!.path)).toEqual([[red, red, red]])
    },
  )

  test('has the delays that browsers show, which replace those up to 10 ms by 100 ms', async () => {
    const timed = [0, 10, 11, 16, 40].map((delay, i) => ({ ...parts[i % 2]!, delay }))
    const { main } = await make(animation(64, timed), picture)
    expect((await sharp(main!.path, { animated: true }).metadata()).delay).toEqual([100, 100, 11, 16, 40])
  })

  test('keeps its motion in a smaller copy if its frames are too many for the size of an avatar', async () => {
    const count = 200
    const many = Array.from({ length: count }, (_, i) => ({ ...whole, color: i % 2 ? RED : [0, 0, 255, 255] }))
    const { main, still } = await make(animation(64, many), {
      ...picture,
      main: { cover: { width: 400, height: 400 } },
    })
    const { pages, pageHeight, width } = await sharp(main!.path, { animated: true }).metadata()
    expect({ pages, pageHeight, width }).toEqual({ pages: count, pageHeight: 289, width: 289 })
    expect(still).toMatchObject({ width: 289, height: 289 })
  })

  test('is a still picture if it is an attachment, too large or slow, damaged, or has one frame', async () => {
    const damaged = animation(64, [whole, { ...whole, side: 65 }])
    const broken = animation(64, parts)
    broken.fill(1, broken.length - 60, broken.length - 20)
    for (const [bytes, more] of [
      [animation(64, parts), { motionMs: 0 }],
      [animation(64, parts), { still: false }],
      [animation(64, parts), { maxFramePixels: 64 * 63 }],
      [animation(64, parts), { maxPixels: 64 * 64 * 3 }],
      [damaged, {}],
      [broken, {}],
      [animation(64, [whole]), {}],
    ] as const) {
      const { main, still } = await make(bytes, { ...picture, ...more })
      expect(main).toMatchObject({ mediaType: 'image/png', width: 32 })
      expect(still).toBeNull()
    }
  })
})
