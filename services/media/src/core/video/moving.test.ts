/** Tests of sounds whose cover cannot be drawn. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from '@murmuration/contracts/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Result } from '../image/image.js'
import { transcodeAttachment } from './moving.js'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'moving-unit-'))
  await writeFile(join(dir, 'in'), Buffer.from('OggS\0\x02  OpusHead'.padEnd(90, '\0')))
})
afterAll(() => rm(dir, { recursive: true }))

const streams = { video: null, audio: { codec: 'opus' }, cover: true, duration: 1, lastFrameEnd: 0, bitrate: 1 }
/** Converts a sound with a cover inside it, which the decoder does not draw. `cover`: picture from the owner, or null. */
const converted = (render: () => Promise<Result>, cover: string | null = null) =>
  transcodeAttachment(
    {
      config: { avif: false },
      decoders: { render },
      faults: { reach: async () => undefined },
      ffmpeg: { transcode: async () => ({ type: 'audio', mediaType: 'audio/mpeg', streams, frame: 'frame' }) },
    } as never,
    dir,
    cover,
  )
const tooLarge = async (): Promise<Result> => ({
  refused: 'too-many-pixels',
  size: { width: 9_000, height: 9_000 },
  frames: 1,
})
const failing = (code: 'unknown' | 'unavailable') => () =>
  Promise.reject(fail(code, 'There was a temporary problem serving your request, please try again'))

test.each([
  ['is too large', tooLarge],
  ['ends the decoder', failing('unknown')],
])('a sound is stored without its cover if that %s', async (_what, render) => {
  const { files, columns } = await converted(render)
  expect([files.length, columns.type, columns.small_key, columns.meta.original]).toEqual([
    1,
    'audio',
    null,
    { duration: 1, bitrate: 1 },
  ])
})

test('a sound is converted again if its cover could not be drawn for a temporary reason', async () => {
  const full = async (): Promise<Result> => ({ refused: 'no-space', size: null, frames: 1 })
  await expect(converted(full)).rejects.toMatchObject({ code: 'no_space' })
  await expect(converted(failing('unavailable'))).rejects.toMatchObject({ code: 'unavailable' })
})

test('a sound is refused if the cover from its owner is too large', async () => {
  await expect(converted(tooLarge, 'cover')).rejects.toThrow('9000x9000 images are not supported')
})
