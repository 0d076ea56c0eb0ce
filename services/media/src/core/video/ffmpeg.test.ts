/**
 * Tests of when ffmpeg is looked up, at most once a minute, of programs that are stopped, of full disks, of covers, and of
 * missing filters.
 */
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFfmpeg } from './ffmpeg.js'

let dir = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'ffmpeg-look-'))
})
afterAll(() => rm(dir, { recursive: true }))

/** A sound with a cover. */
const COVERED = {
  streams: [
    { codec_type: 'audio', codec_name: 'mp3' },
    { codec_type: 'video', codec_name: 'png', width: 9, height: 9, disposition: { attached_pic: 1 } },
  ],
  format: { duration: '1', bit_rate: '64000' },
}

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
const mappings: boolean[] = []
const made = (enabled = true, memoryBytes = 1) =>
  createFfmpeg({
    enabled,
    ffmpeg: 'ffmpeg',
    ffprobe: 'ffprobe',
    timeoutMs: 30_000,
    memoryBytes,
    env: { PATH: `/nowhere:${dir}` },
    now: () => now,
    onLook: (found) => looks.push(found),
    onColorMapping: (able) => mappings.push(able),
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
  await mkdir(join(dir, 'job'), { recursive: true })
  await writeFile(join(dir, 'ffprobe'), `#!/bin/sh\necho '${probed}'\nexit ${code}\n`)
  await writeFile(join(dir, 'ffmpeg'), `#!/bin/sh\necho > ${dir}/job/started\nexec /bin/sleep 60\n`)
  await Promise.all(['ffmpeg', 'ffprobe'].map((name) => chmod(join(dir, name), 0o755)))
  const ffmpeg = made(true, 2 ** 30)
  const failed = expect(ffmpeg.transcode(join(dir, 'job'), 'matroska')).rejects.toMatchObject({ code: 'unavailable' })
  await expect
    .poll(() =>
      stat(join(dir, 'job/started')).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  ffmpeg.close()
  await failed
  await rm(join(dir, 'job'), { recursive: true })
})

/** Installs a program that runs these lines of a shell script. */
const program = async (name: string, ...lines: string[]) => {
  await writeFile(join(dir, name), ['#!/bin/sh', ...lines, ''].join('\n'))
  await chmod(join(dir, name), 0o755)
}
/** Converts a sound with a cover in a new work directory, with programs that run these lines. */
const converted = async (lines: { ffmpeg: string; ffprobe?: string }) => {
  await program('ffprobe', lines.ffprobe ?? '', `echo '${JSON.stringify(COVERED)}'`)
  await program('ffmpeg', lines.ffmpeg, 'echo made > out')
  return made(true, 2 ** 30).transcode(await mkdtemp(join(dir, 'work-')), 'mp3')
}
const full = (code: number, reason = 'No space left on device') =>
  `echo 'av_interleaved_write_frame(): ${reason}' >&2; exit ${code}`

test.each([
  ['while the file is converted', { ffmpeg: full(1) }],
  ['and the exit code is 0', { ffmpeg: full(0) }],
  ['and a quota is the reason', { ffmpeg: full(1, 'Disk quota exceeded') }],
  ['while the cover is extracted', { ffmpeg: `case "$*" in *file:frame*) ${full(0)} ;; esac` }],
  [
    'while the streams are copied',
    { ffmpeg: `case "$*" in *file:used*) ${full(1)} ;; esac`, ffprobe: 'echo unreadable >&2; exit 1' },
  ],
  ['while the file is probed', { ffmpeg: '', ffprobe: full(1) }],
])('F075 a file is not refused when the disk is full %s', async (_when, lines) => {
  await expect(converted(lines)).rejects.toMatchObject({ code: 'no_space', status: 507 })
})

test.each([
  ['cannot be decoded', 'exit 1'],
  ['becomes too large', 'exit 153'],
])('a sound is converted without its cover if that %s', async (_what, line) => {
  expect(await converted({ ffmpeg: `case "$*" in *file:frame*) ${line} ;; esac` })).toMatchObject({
    type: 'audio',
    frame: null,
  })
})

/** A sound in a video. */
const SOUND = { codec_type: 'audio', codec_name: 'aac' }
/** A video of high dynamic range. */
const HDR = {
  codec_type: 'video',
  codec_name: 'hevc',
  pix_fmt: 'yuv420p10le',
  width: 64,
  height: 64,
  avg_frame_rate: '25/1',
  color_transfer: 'arib-std-b67',
}

test('an HDR video is converted without mapped colours while ffmpeg lacks one of the filters', async () => {
  const hdr = JSON.stringify({ streams: [HDR, SOUND], format: { duration: '1', bit_rate: '1' } })
  await program('ffprobe', `echo '${hdr}'`)
  const install = (...filters: string[]) =>
    program(
      'ffmpeg',
      `case "$*" in *-filters*) printf ' ..C %s V->V text\\n' ${filters.join(' ')}; exit 0 ;; esac`,
      `case "$*" in *zscale=*) echo mapped >> ${dir}/used; ${filters.length < 3 ? 'exit 1' : ''} ;; esac`,
      'case "$*" in *file:frame*) echo frame > frame ;; *) echo made > out ;; esac',
    )
  const ffmpeg = made(true, 2 ** 30)
  const transcode = async () => ffmpeg.transcode(await mkdtemp(join(dir, 'work-')), 'matroska')
  for (const filters of [['scale'], ['scale', 'tonemap'], ['scale', 'zscale']]) {
    await install(...filters)
    expect(await transcode()).toMatchObject({ type: 'video', frame: 'frame' })
  }
  await expect(stat(join(dir, 'used'))).rejects.toMatchObject({ code: 'ENOENT' })
  await install('scale', 'tonemap', 'zscale')
  expect(await transcode()).toMatchObject({ type: 'video', frame: 'frame' })
  expect((await stat(join(dir, 'used'))).size).toBeGreaterThan(0)
  expect(mappings).toEqual([false, true])
})

test('an ffmpeg older than 5.1 gets its own option for the times of frames', async () => {
  const probed = JSON.stringify({ streams: [{ ...HDR, color_transfer: 'bt709' }, SOUND], format: { duration: '1' } })
  await program('ffprobe', `echo '${probed}'`)
  const argumentsWith = async (options: string) => {
    await program(
      'ffmpeg',
      `case "$*" in *'-h long'*) ${options}; exit 0 ;; *file:frame*) echo frame > frame; exit 0 ;; esac`,
      'echo "$*" > out',
    )
    const work = await mkdtemp(join(dir, 'work-'))
    await made(true, 2 ** 30).transcode(work, 'matroska')
    return (await readFile(join(work, 'out'), 'utf8')).match(/-(?:vsync|fps_mode) \w+/g)
  }
  const [old, recent] = ["printf -- '-vsync  sync method\\n'", "printf -- '-vsync  text\\n-fps_mode  mode\\n'"]
  expect(await argumentsWith(old)).toEqual(['-vsync vfr'])
  expect(await argumentsWith(recent)).toEqual(['-fps_mode vfr'])
  expect(await argumentsWith('exit 1')).toEqual(['-fps_mode vfr'])
})
