/** Tests of when ffmpeg is looked up, at most once a minute, and of programs that are stopped. */
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFfmpeg } from './ffmpeg.js'

let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ffmpeg-look-'))
})
afterAll(() => rm(dir, { recursive: true }))

/** A video stream that states no frame rate, as MediaRecorder writes it. */
const DOUBTFUL = {
  codec_type: 'video',
  codec_name: 'vp8',
  width: 320,
  height: 240,
  pix_fmt: 'yuv420p',
  r_frame_rate: '1000/1',
  avg_frame_rate: '0/0',
}

let now = 0
const looks: boolean[] = []
const made = (enabled = true, memoryBytes = 1) =>
  createFfmpeg({
    enabled,
    ffmpeg: 'ffmpeg',
    ffprobe: 'ffprobe',
    timeoutMs: 1_000,
    memoryBytes,
    env: { PATH: `/nowhere:${dir}` },
    now: () => now,
    onLook: (found) => looks.push(found),
  })
const install = async (...names: string[]) => {
  for (const name of names) {
    await writeFile(join(dir, name), '#!/bin/sh\n')
    await chmod(join(dir, name), 0o755)
  }
}

test('an installed or removed ffmpeg is noticed within a minute', async () => {
  const ffmpeg = made()
  expect(await ffmpeg.available()).toBe(false)
  await install('ffmpeg')
  now += 61_000
  expect(await ffmpeg.available()).toBe(false)
  await install('ffprobe')
  now += 59_000
  expect(await ffmpeg.available()).toBe(false)
  now += 2_000
  const answers = await Promise.all(Array.from({ length: 100 }, () => ffmpeg.available()))
  expect(new Set(answers)).toEqual(new Set([true]))
  await rm(join(dir, 'ffprobe'))
  expect(await ffmpeg.available()).toBe(true)
  now += 61_000
  expect(await ffmpeg.available()).toBe(false)
  // Called after the first look-up, and after each change.
  expect(looks).toEqual([false, true, false])
})

test('a disabled ffmpeg is not looked up', async () => {
  await install('ffmpeg', 'ffprobe')
  looks.length = 0
  const ffmpeg = made(false)
  expect([await ffmpeg.available(), await ffmpeg.available(), looks]).toEqual([false, false, [false]])
})

test.each([
  ['while the frame rate is measured', JSON.stringify({ streams: [DOUBTFUL], format: {} }), 0],
  ['while the streams are listed', 'unreadable', 1],
])('a file is not refused when ffmpeg is stopped %s', async (_when, probed, code) => {
  await mkdir(join(dir, 'work'), { recursive: true })
  await writeFile(join(dir, 'ffprobe'), `#!/bin/sh\necho '${probed}'\nexit ${code}\n`)
  await writeFile(join(dir, 'ffmpeg'), `#!/bin/sh\necho > ${dir}/work/started\nexec /bin/sleep 60\n`)
  await Promise.all(['ffmpeg', 'ffprobe'].map((name) => chmod(join(dir, name), 0o755)))
  const ffmpeg = made(true, 2 ** 30)
  const failed = expect(ffmpeg.transcode(join(dir, 'work'), 'matroska')).rejects.toMatchObject({ code: 'unavailable' })
  await expect
    .poll(() =>
      stat(join(dir, 'work/started')).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  ffmpeg.close()
  await failed
  await rm(join(dir, 'work'), { recursive: true })
})
