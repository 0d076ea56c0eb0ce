/** A machine without ffmpeg: pictures work, videos and sounds are refused, and the log says so. */
import { attachmentFormats, uploadAttachmentNow } from '@murmuration/contracts/media'
import { logLines } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachmentOf, type Harness, startHarness } from './harness.js'
import { movingGif } from './pictures.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({ FFMPEG_PATH: '/absent', FFPROBE_PATH: '/absent' })
})
afterAll(() => harness.stop())

const upload = async (bytes: Buffer) => harness.request(uploadAttachmentNow, { file: await harness.stage(bytes) })

test('a video is refused by its type', async () => {
  const mp4 = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42'), Buffer.alloc(100)])
  const { status, body } = await upload(mp4)
  expect([status, body.error]).toEqual([422, 'Validation failed: File content type video/mp4 is not supported here'])
})

test('an animation stays a picture', async () => {
  const attachment = attachmentOf(await upload(await movingGif(120, 80, 5)))
  expect(attachment.type).toBe('image')
  expect(attachment.url).toMatch(/\.gif$/)
})

test('A160 no media type of videos and sounds is published', async () => {
  const { mime_types: types } = await harness.cluster.call(attachmentFormats, {})
  expect(types).toContain('image/jpeg')
  expect(types.filter((type) => /^(video|audio)/.test(type))).toEqual([])
})

test('the log says at start, in one line, that video and audio are off', async () => {
  const linesWith = async (env: Record<string, string>) => {
    Object.assign(harness.cluster.env, env)
    const lines = await logLines(harness.cluster, 'media', async () => undefined)
    return lines
      .filter((line) => line.message.includes('video and audio'))
      .map(({ level, message }) => [level, message])
  }
  const absent = '/absent'
  const notFound = await linesWith({ FFMPEG_PATH: absent, FFPROBE_PATH: absent })
  expect(notFound).toEqual([['warn', 'video and audio are off: ffmpeg or ffprobe was not found']])
  expect(await linesWith({ MEDIA_FFMPEG: 'off' })).toEqual([['info', 'video and audio are off: MEDIA_FFMPEG is off']])
  expect(await linesWith({ MEDIA_FFMPEG: 'auto', FFMPEG_PATH: '/bin/sh', FFPROBE_PATH: '/bin/sh' })).toEqual([])
})
