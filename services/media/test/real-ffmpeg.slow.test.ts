/** The machine's own ffmpeg, where it has one: real streams in, real files out; where it has none, a clear refusal. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { attachmentFormats, uploadAttachmentNow } from '@murmuration/contracts/media'
import { logLines } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { movingGif } from './pictures.js'
import { attachmentOf, startWorld, type World } from './world.js'

const run = promisify(execFile)
let dir: string
let world: World
let machineHasIt: boolean
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ffmpeg-test-'))
  world = await startWorld()
  machineHasIt = await world.context().ffmpeg.available()
})
afterAll(async () => {
  await world.stop()
  await rm(dir, { recursive: true })
})

const upload = async (bytes: Buffer) => world.ask(uploadAttachmentNow, { file: await world.stage(bytes) })
/** Makes a test film with the machine's ffmpeg. */
const film = async (name: string, ...codecs: string[]): Promise<Buffer> => {
  const path = join(dir, name)
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=321x181:rate=10:duration=1']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=1']
  const secret = ['-metadata', 'location=SECRET-PLACE', '-metadata', 'title=SECRET-PLACE']
  await run(world.context().config.ffmpegPath, ['-loglevel', 'error', ...picture, ...sound, ...secret, ...codecs, path])
  return readFile(path)
}

test('a film in an old form becomes one that plays everywhere, without what the camera wrote; or is refused by its type', async () => {
  if (!machineHasIt) {
    const answer = await upload(Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42'), Buffer.alloc(100)]))
    expect([answer.status, answer.body.error]).toEqual([
      422,
      'Validation failed: File content type video/mp4 is not supported here',
    ])
    return
  }
  const bytes = await film('a.mp4', '-c:v', 'mpeg4', '-c:a', 'aac')
  expect(bytes.includes('SECRET-PLACE')).toBe(true)
  const attachment = attachmentOf(await upload(bytes))
  expect(attachment).toMatchObject({
    type: 'video',
    meta: { original: { width: 320, height: 180, frame_rate: '10/1' } },
  })
  const made = await world.read(attachment.url ?? '')
  expect([made.includes('SECRET-PLACE'), made.subarray(4, 8).toString()]).toEqual([false, 'ftyp'])
})

test('a moving picture becomes a video; without ffmpeg it stays a picture', async () => {
  const attachment = attachmentOf(await upload(await movingGif(120, 80, 5)))
  expect(attachment.type).toBe(machineHasIt ? 'gifv' : 'image')
  expect(attachment.url).toMatch(machineHasIt ? /\.mp4$/ : /\.gif$/)
})

test('A158 a film in a form that nobody needs is refused before ffmpeg sees it', async () => {
  const avi = machineHasIt
    ? await film('a.avi', '-c:v', 'magicyuv')
    : Buffer.from('RIFF\0\0\0\0AVI LIST'.padEnd(300, '\0'))
  const answer = await upload(avi)
  expect([answer.status, answer.body.error]).toEqual([422, 'File type of uploaded media could not be verified'])
})

test('A160 others are told what can be read here, and no more', async () => {
  const { mime_types: types } = await world.cluster.call(attachmentFormats, {})
  expect(types).toContain('image/jpeg')
  expect([types.includes('video/mp4'), types.includes('audio/mpeg')]).toEqual([machineHasIt, machineHasIt])
  expect(types.some((type) => /heic|heif/.test(type))).toBe(false)
})

test('the log says at start, in one line, that video and audio are off', async () => {
  const linesWith = async (env: Record<string, string>) => {
    Object.assign(world.cluster.env, env)
    const lines = await logLines(world.cluster, 'media', async () => undefined)
    return lines
      .filter((line) => line.message.includes('video and audio'))
      .map(({ level, message }) => [level, message])
  }
  const absent = join(dir, 'absent')
  const notFound = await linesWith({ FFMPEG_PATH: absent, FFPROBE_PATH: absent })
  expect(notFound).toEqual([['warn', 'video and audio are off: ffmpeg or ffprobe was not found']])
  expect(await linesWith({ MEDIA_FFMPEG: 'off' })).toEqual([['info', 'video and audio are off: MEDIA_FFMPEG is off']])
  expect(await linesWith({ MEDIA_FFMPEG: 'auto', FFMPEG_PATH: '/bin/sh', FFPROBE_PATH: '/bin/sh' })).toEqual([])
})
