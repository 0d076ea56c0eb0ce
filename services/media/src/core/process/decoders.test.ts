/** Tests of decoder processes: start, limits, replacement after a crash, and end when idle. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Order } from '../image/image.js'
import { createDecoders, type DecoderOptions, type Decoders } from './decoders.js'

// Starting processes takes long on a busy machine.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

let dir: string
let decoders: Decoders | undefined
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'decoders-test-'))
  const large = { width: 4_000, height: 3_000, channels: 3, background: '#3a7' } as const
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  await sharp({ create: { ...large, noise } })
    .png({ compressionLevel: 1 })
    .toFile(join(dir, 'large'))
  await sharp({ create: { ...large, width: 40, height: 30 } })
    .png()
    .toFile(join(dir, 'small'))
  const frames = ['#f00', '#00f'].map((background) =>
    sharp({ create: { ...large, width: 40, height: 30, background } })
      .png()
      .toBuffer(),
  )
  await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toFile(join(dir, 'animation'))
})
afterEach(() => decoders?.close())
afterAll(() => rm(dir, { recursive: true }))

const open = (more: Partial<DecoderOptions> = {}) => {
  decoders = createDecoders({
    count: 1,
    timeoutMs: 60_000,
    idleMs: 60_000,
    memoryBytes: 512 * 1_048_576,
    avif: false,
    env: { PATH: '/usr/bin:/bin' },
    ...more,
  })
  return decoders
}
const order = (name: string): Order => ({
  input: join(dir, name),
  dir,
  maxPixels: 33_177_600,
  maxFramePixels: 921_600,
  avif: false,
  motion: 'still',
  main: { area: 8_294_400 },
  still: false,
  small: null,
  smallPng: false,
})

/** Process ids of the decoders that this process started. */
const running = async (): Promise<string[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [stat, command] = await Promise.all(
        ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      )
      const ours = Number(/\) \w (\d+)/.exec(stat ?? '')?.[1]) === process.pid && !/\) Z /.test(stat ?? '')
      return ours && command?.includes('decoder.ts') ? [pid] : []
    }),
  )
  return found.flat()
}

test('a decoder starts with the first picture, serves later ones, and has no secrets in its environment', async () => {
  process.env.SECRET_OF_THE_SERVICE = 'do not pass on'
  const open1 = open()
  expect(await running()).toEqual([])
  await open1.render(order('small'))
  const first = await running()
  expect(first).toHaveLength(1)
  const results = await Promise.all(Array.from({ length: 8 }, () => open1.render(order('small'))))
  expect(results.every((result) => result.refused === null)).toBe(true)
  expect(await running()).toEqual(first)
  const environment = await readFile(`/proc/${first[0]}/environ`, 'utf8')
  expect(environment).not.toContain('SECRET')
  expect(await readFile(`/proc/${first[0]}/limits`, 'utf8')).toMatch(/Max data size +1207959552/)
})

test('A162 a crashed decoder fails only its own picture, and the next picture gets a new process', async () => {
  const { render } = open()
  await render(order('small'))
  const [pid] = await running()
  const failed = expect(render(order('large'))).rejects.toMatchObject({
    status: 500,
    message: 'Error processing thumbnail for uploaded media',
  })
  process.kill(Number(pid), 'SIGSEGV')
  await failed
  expect((await render(order('small'))).refused).toBeNull()
  expect(await running()).not.toContain(pid)
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a picture whose decoder is ended by %s may be tried again',
  async (signal) => {
    const { render } = open()
    await render(order('small'))
    const [pid] = await running()
    const failed = expect(render(order('large'))).rejects.toMatchObject({ status: 503, cause: { reason: 'killed' } })
    process.kill(Number(pid), signal)
    await failed
    expect((await render(order('small'))).refused).toBeNull()
  },
)

test('a decoder that ended while idle is not used', async () => {
  const { render } = open()
  await render(order('small'))
  const [pid] = await running()
  process.kill(Number(pid), 'SIGKILL')
  await expect.poll(running).toEqual([])
  // This process may receive the exit event after the poll has seen the exit.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await render(order('small'))).refused).toBeNull()
})

test('an animation that takes too long is a still picture, and its decoder is not used again', async () => {
  const { render } = open()
  const animation: Order = { ...order('animation'), motion: 'keep', still: true }
  expect(await render(animation)).toMatchObject({ refused: null, still: { mediaType: 'image/png' } })
  const [pid] = await running()
  const result = await render({ ...animation, motionMs: 0 })
  expect(result).toMatchObject({ refused: null, main: { width: 40 }, still: null })
  expect((await render(order('small'))).refused).toBeNull()
  expect(await running()).not.toContain(pid)
})

test('an animation whose encoding exceeds its time limit leaves no process and no file besides the still picture', async () => {
  const { render } = open()
  const [side, frames] = [700, 12]
  const first = randomBytes(side * side * 3)
  const second = Buffer.from(first).reverse()
  const pixels = Buffer.concat(Array.from({ length: frames }, (_, at) => (at % 2 ? second : first)))
  const raw = { width: side, height: side * frames, channels: 3, pageHeight: side } as const
  await sharp(pixels, { raw }).gif({ effort: 1, dither: 0, colours: 16 }).toFile(join(dir, 'slow'))
  const out = await mkdtemp(join(dir, 'out-'))
  const animation: Order = { ...order('slow'), dir: out, motion: 'keep', still: true }
  await render(order('small'))
  expect(await running()).toHaveLength(1)
  // The first frame is decoded within this time. The animation takes several times as long.
  const result = await render({ ...animation, motionMs: 100 })
  expect(result).toMatchObject({
    refused: null,
    isBusy: true,
    main: { mediaType: 'image/gif', width: side },
    still: null,
  })
  expect((await sharp(join(out, 'main'), { animated: true }).metadata()).pages ?? 1).toBe(1)
  await expect.poll(running).toEqual([])
  expect(await readdir(out)).toEqual(['main'])
})

test('D053 a decoder that takes too long is ended', async () => {
  const { render } = open({ timeoutMs: 30 })
  await expect(render(order('large'))).rejects.toMatchObject({ status: 500 })
  await expect.poll(running).toEqual([])
})

test('hostile 109 D053 a picture that needs too much memory fails, and the service continues', async () => {
  const { render } = open({ memoryBytes: 20 * 1_048_576 })
  const result = await render(order('large')).catch((error) => error)
  expect(result.status === 500 || result.refused === 'broken').toBe(true)
})

test('pictures beyond the limit of the queue are refused with a retry time', async () => {
  const { render } = open()
  const answers = await Promise.allSettled(Array.from({ length: 30 }, () => render(order('small'))))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(answers.length - refused.length).toBe(21)
  expect(refused[0]).toMatchObject({ code: 'unavailable', extras: { retryAfter: 2 } })
})

test('decoders end when idle, and when the service ends', async () => {
  const brief = open({ idleMs: 50 })
  await brief.render(order('small'))
  await expect.poll(running).toEqual([])
  const other = open()
  await other.render(order('small'))
  other.close()
  await expect.poll(running).toEqual([])
  await expect(other.render(order('small'))).rejects.toMatchObject({ code: 'unavailable' })
})

test('decoding does not block the event loop', async () => {
  const { render } = open()
  await writeFile(join(dir, 'broken'), 'x')
  await render(order('broken'))
  let turns = 0
  const timer = setInterval(() => turns++, 5)
  await render(order('large'))
  clearInterval(timer)
  // If this process decoded the picture, the timer would not have run.
  expect(turns).toBeGreaterThan(5)
})
