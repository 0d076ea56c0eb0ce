/** Tests with the machine's ffmpeg: real streams. Without it they do not run, and the end of the test run counts them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { attachmentFormats, uploadAttachmentNow } from '@murmuration/contracts/media'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attachmentOf, type Harness, startHarness } from './harness.js'
import { movingGif, noise } from './pictures.js'

const run = promisify(execFile)
const { findTool } = await import(new URL('../../../bin/lib/tools.mjs', import.meta.url).href)
const { missing } = await findTool('ffmpeg')

describe.skipIf(missing)('real videos (needs ffmpeg)', () => {
  let dir: string
  let harness: Harness
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ffmpeg-test-'))
    harness = await startHarness()
  })
  afterAll(async () => {
    await harness.stop()
    await rm(dir, { recursive: true })
  })

  const upload = async (bytes: Buffer) => harness.request(uploadAttachmentNow, { file: await harness.stage(bytes) })
  /** Creates a test video with the machine's ffmpeg. */
  const film = async (name: string, ...codecs: string[]): Promise<Buffer> => {
    const path = join(dir, name)
    const picture = ['-f', 'lavfi', '-i', 'testsrc=size=321x181:rate=10:duration=1']
    const sound = ['-f', 'lavfi', '-i', 'sine=duration=1']
    const secret = ['-metadata', 'location=SECRET-PLACE', '-metadata', 'title=SECRET-PLACE']
    await run(harness.context().config.ffmpegPath, [
      '-loglevel',
      'error',
      ...picture,
      ...sound,
      ...secret,
      ...codecs,
      path,
    ])
    return readFile(path)
  }

  test('a video in an old format becomes one that all browsers play, without metadata', async () => {
    const bytes = await film('a.mp4', '-c:v', 'mpeg4', '-c:a', 'aac')
    expect(bytes.includes('SECRET-PLACE')).toBe(true)
    const attachment = attachmentOf(await upload(bytes))
    expect(attachment).toMatchObject({
      type: 'video',
      meta: { original: { width: 320, height: 180, frame_rate: '10/1' } },
    })
    const made = await harness.read(attachment.url ?? '')
    expect([made.includes('SECRET-PLACE'), made.subarray(4, 8).toString()]).toEqual([false, 'ftyp'])
  })

  test('an animation becomes a video', async () => {
    const attachment = attachmentOf(await upload(await movingGif(120, 80, 5)))
    expect(attachment.type).toBe('gifv')
    expect(attachment.url).toMatch(/\.mp4$/)
  })

  /** A GIF of two colours whose frames have these delays, in hundredths of a second. */
  const timedGif = async (delays: readonly number[]): Promise<Buffer> => {
    const frames = await Promise.all(
      delays.map((_, at) =>
        sharp({ create: { width: 64, height: 48, channels: 3, background: at % 2 ? '#ff0000' : '#0000ff' } })
          .png()
          .toBuffer(),
      ),
    )
    return sharp(frames, { join: { animated: true } })
      .gif({ delay: delays.map((one) => one * 10), loop: 0 })
      .toBuffer()
  }

  test.each([
    [[10, 10, 10, 300], 3.3],
    [[100, 100], 2],
    [[50, 200, 5], 2.55],
  ])('an animation with delays of %j hundredths becomes a video of %d s', async (delays, seconds) => {
    const { meta } = attachmentOf(await upload(await timedGif(delays)))
    expect(meta?.original).toMatchObject({ width: 64, height: 48, duration: seconds })
  })

  const GRAPHIC_CONTROL = Buffer.from([0x21, 0xf9, 0x04])
  /** The GIF without the graphic control extensions after the first `kept` ones. The remaining frames state no delay. */
  const withoutDelays = (gif: Buffer, kept: number): Buffer => {
    const starts: number[] = []
    for (let at = gif.indexOf(GRAPHIC_CONTROL); at >= 0; at = gif.indexOf(GRAPHIC_CONTROL, at + 8)) starts.push(at)
    const parts = starts.slice(kept).map((start, i, all) => gif.subarray(start + 8, all[i + 1]))
    return Buffer.concat([gif.subarray(0, starts[kept]), ...parts])
  }

  /** Start of each frame in the stored video, and the end of the last one, in milliseconds. */
  const timesOf = async (address: string | null): Promise<number[]> => {
    const path = join(dir, 'timed.mp4')
    await writeFile(path, await harness.read(address ?? ''))
    const look = [
      '-v',
      'error',
      '-select_streams',
      'v',
      '-show_entries',
      'frame=pts_time:stream=duration',
      '-of',
      'csv=p=0',
    ]
    const { stdout } = await run(harness.context().config.ffprobePath, [...look, path])
    return stdout.match(/[\d.]+/g)?.map((time) => Math.round(Number(time) * 1_000)) ?? []
  }

  test.each([
    [[50, 10, 10], 1, [0, 500, 600, 700]],
    [[50, 200, 10], 2, [0, 500, 2_500, 2_600]],
    [[10, 10], 0, [0, 100, 200]],
    [[10, 10, 10, 10], 0, [0, 100, 200, 300, 400]],
  ])(
    'frames of an animation with delays %j after the first %d have the usual delay if they state none',
    async (delays, kept, times) => {
      const { url, meta } = attachmentOf(await upload(withoutDelays(await timedGif(delays), kept)))
      expect(await timesOf(url)).toEqual(times)
      expect(meta?.original).toMatchObject({ duration: (times.at(-1) ?? 0) / 1_000 })
    },
  )

  test.each([
    [
      [10, 10, 10, 300],
      [0, 100, 200, 300],
    ],
    [
      [10, 10, 300, 10],
      [0, 100, 200, 3_200],
    ],
  ])('the complete frames of a truncated animation with delays %j keep their times', async (delays, times) => {
    const whole = await timedGif(delays)
    const { url } = attachmentOf(await upload(whole.subarray(0, whole.length - 30)))
    expect(await timesOf(url)).toEqual(times)
  })

  /** Times of frames: a burst, a pause, another burst, and a last frame that is shown long. */
  const BURSTS = [0, 40, 80, 120, 3_000, 3_040, 3_080, 8_000, 8_033, 8_066, 8_100]
  const BURSTS_END = 10_500

  test.each([
    ['mp4', '-c:v', 'mpeg4'],
    ['mov', '-c:v', 'libx264', '-pix_fmt', 'yuv444p', '-bf', '0'],
    ['copied.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-bf', '0'],
    ['webm', '-c:v', 'libvpx', '-deadline', 'realtime'],
    ['vp9.webm', '-c:v', 'libvpx-vp9', '-deadline', 'realtime'],
    ['audible.mp4', '-c:v', 'mpeg4'],
  ])('a video of variable timing keeps the time of each frame: %s', async (name, ...codec) => {
    const made = (end: string) => join(dir, `bursts.${end}`)
    const times = BURSTS.reduceRight((rest, time, at) => `if(eq(N\\,${at})\\,${time}\\,${rest})`, '0')
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=10:duration=9', '-frames:v', String(BURSTS.length)]
    const timing = ['-vf', `settb=1/1000,setpts=${times}`, '-fps_mode', 'passthrough', '-enc_time_base', '1/1000']
    const ffmpeg = [harness.context().config.ffmpegPath, ['-loglevel', 'error', '-y']] as const
    await run(ffmpeg[0], [...ffmpeg[1], ...source, ...timing, ...codec, made(`${name}.mkv`)])
    const last = `if(eq(N\\,${BURSTS.length - 1})\\,${BURSTS_END}-PTS\\,NEXT_PTS-PTS)`
    const durations = ['-c:v', 'copy', '-bsf:v', `setts=duration=${last}`, '-video_track_timescale', '1000']
    const sound = name.startsWith('audible') ? ['-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac'] : []
    await run(ffmpeg[0], [...ffmpeg[1], '-i', made(`${name}.mkv`), ...sound, ...durations, made(name)])
    const { url, meta } = attachmentOf(await upload(await readFile(made(name))))
    expect(await timesOf(url)).toEqual([...BURSTS, BURSTS_END])
    expect(meta?.original).toMatchObject({ duration: BURSTS_END / 1_000 })
  })

  /** Runs the machine's ffmpeg on a video that a test created. */
  const reshape = async (from: string, name: string, ...args: string[]): Promise<Buffer> => {
    const path = join(dir, name)
    await run(harness.context().config.ffmpegPath, ['-loglevel', 'error', '-i', join(dir, from), ...args, path])
    return readFile(path)
  }
  const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']

  test.each([90, 270])('a video rotated by %d° has the size that is displayed', async (degrees) => {
    await film(`plain-${degrees}.mp4`, '-vf', 'scale=320:180,setsar=1', ...H264)
    const turn = ['-c', 'copy', '-metadata:s:v', `rotate=${degrees}`]
    const { meta } = attachmentOf(await upload(await reshape(`plain-${degrees}.mp4`, `turned-${degrees}.mp4`, ...turn)))
    expect(meta).toMatchObject({ original: { width: 180, height: 320 }, small: { width: 180, height: 320 } })
  })

  test.each([
    ['whose streams are copied', H264],
    ['that is transcoded', ['-c:v', 'mpeg4', '-c:a', 'aac']],
  ])('a video %s and has non-square pixels has the size that is displayed', async (what, codecs) => {
    const bytes = await film(`wide-${what.length}.mp4`, '-vf', 'scale=720:576,setsar=64/45', ...codecs)
    const { meta } = attachmentOf(await upload(bytes))
    expect(meta?.original).toMatchObject({ width: 1024, height: 576 })
    expect(meta?.small?.aspect).toBeCloseTo(16 / 9, 1)
  })

  test.each(['smpte2084', 'arib-std-b67'])(
    'a film of high dynamic range (%s) is mapped to usual colours',
    async (transfer) => {
      const colors = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc']
      const x265 = `colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc:log-level=none`
      const codecs = ['-c:v', 'libx265', '-x265-params', x265, '-pix_fmt', 'yuv420p10le', ...colors, '-c:a', 'aac']
      const attachment = attachmentOf(
        await upload(await film(`hdr-${transfer}.mp4`, '-vf', 'scale=320:180', ...codecs)),
      )
      const made = join(dir, `made-${transfer}.mp4`)
      await writeFile(made, await harness.read(attachment.url ?? ''))
      const look = [
        '-v',
        'error',
        '-select_streams',
        'v',
        '-show_entries',
        'stream=color_transfer,pix_fmt',
        '-of',
        'csv=p=0',
        made,
      ]
      expect((await run(harness.context().config.ffprobePath, look)).stdout.trim()).toBe('yuv420p,bt709')
      expect(attachment.preview_url).toBeTruthy()
    },
  )

  /** Brightness from 0 to 255 of a grey picture. */
  const brightness = async (picture: Buffer): Promise<number> => (await sharp(picture).stats()).channels[0]?.mean ?? 0
  let flats = 0
  /** Brightness of clip and preview of an uploaded HDR video that shows only this 10-bit luma code. */
  const brightnessOf = async (transfer: string, code: number, space: string): Promise<number[]> => {
    const name = `flat-${++flats}`
    const flat = ['-vf', `scale=64:64,format=yuv420p10le,geq=lum=${code}:cb=512:cr=512`]
    const tags = space === 'bt2020' ? 'colorprim=bt2020:colormatrix=bt2020nc:' : ''
    const x265 = ['-c:v', 'libx265', '-x265-params', `${tags}transfer=${transfer}:log-level=none`]
    const { url, preview_url } = attachmentOf(await upload(await film(`${name}.mp4`, ...flat, ...x265, '-c:a', 'aac')))
    await writeFile(join(dir, `${name}-made.mp4`), await harness.read(url ?? ''))
    const picture = await reshape(`${name}-made.mp4`, `${name}.png`, '-frames:v', '1')
    return [await brightness(picture), await brightness(await harness.read(preview_url ?? ''))]
  }

  test.each([
    { transfer: 'arib-std-b67', space: 'bt2020', middle: 502, white: [721, 217], above: [850, 240], peak: [940, 255] },
    { transfer: 'arib-std-b67', space: 'unknown', middle: 502, white: [721, 217], above: [850, 240], peak: [940, 255] },
    // The code 723 is 1,000 cd/m², the nominal peak of many videos, and 844 is 3,600 cd/m².
    { transfer: 'smpte2084', space: 'bt2020', middle: 451, white: [573, 214], above: [635, 232], peak: [723, 246] },
    { transfer: 'smpte2084', space: 'bt2020', middle: 451, white: [573, 214], above: [844, 253], peak: [940, 255] },
  ] as const)(
    'a video of high dynamic range ($transfer, colour space $space) keeps its brightness, and differences above reference white',
    async ({ transfer, space, middle, white, above, peak }) => {
      for (const one of await brightnessOf(transfer, middle, space)) expect(Math.abs(one - 143)).toBeLessThan(6)
      for (const [code, expected] of [white, above, peak])
        for (const one of await brightnessOf(transfer, code, space)) expect(Math.abs(one - expected)).toBeLessThan(6)
    },
  )

  test('parts of a PQ video above 1,000 cd/m² differ in brightness', async () => {
    const [usual = 0, bright = 0, brightest = 0] = (
      await Promise.all([723, 800, 940].map((code) => brightnessOf('smpte2084', code, 'bt2020')))
    ).map(([clip]) => clip)
    expect(bright - usual).toBeGreaterThan(3)
    expect(brightest - bright).toBeGreaterThan(1.5)
  })

  test('a video beyond a limit is refused with the unsupported value', async () => {
    const bytes = await film('fast.mp4', '-vf', 'scale=64:48', '-r', '240', ...H264)
    const answer = await upload(bytes)
    expect([answer.status, answer.body.error]).toEqual([422, '240fps videos are not supported'])
  })

  test.each([
    ['mp4', 'ac3'],
    ['mov', 'eac3'],
  ])('a sound in a %s that cannot be read is named: %s', async (container, codec) => {
    const small = ['-vf', 'scale=64:48', ...H264]
    const audible = await upload(await film(`${codec}.${container}`, ...small, '-c:a', codec))
    expect([audible.status, audible.body.error]).toEqual([422, `${codec} sounds are not supported`])
    const alone = await upload(await film(`${codec}-alone.${container}`, '-vn', '-c:a', codec))
    expect([alone.status, alone.body.error]).toEqual([422, `${codec} sounds are not supported`])
  })

  test('a recording of a camera with uncompressed sound, and of slightly more than 120 frames, is accepted', async () => {
    const fast = ['-vf', 'scale=64:48', '-r', '12005/100', ...H264]
    const answer = await upload(await film('camera.mov', ...fast, '-c:a', 'pcm_s24be'))
    expect(attachmentOf(answer)).toMatchObject({ type: 'video' })
  })

  /** A video whose first sound and picture are supported, with another stream. */
  const withStream = async (name: string, ...args: string[]): Promise<Buffer> => {
    await film('usual.mp4', '-y', '-vf', 'scale=64:48,setsar=1', ...H264)
    await writeFile(join(dir, 'words.srt'), '1\n00:00:00,000 --> 00:00:00,400\nHello\n')
    await writeFile(join(dir, 'square.png'), await noise(64, 64).png().toBuffer())
    await run(
      harness.context().config.ffmpegPath,
      [...['-y', '-loglevel', 'error', '-i', 'usual.mp4', '-i', 'words.srt', '-i', 'square.png'], ...args, name],
      { cwd: dir },
    )
    return readFile(join(dir, name))
  }
  const BOTH = ['-map', '0:v', '-map', '0:a']
  const TWICE = ['-map', '0:a', '-map', '0:a']
  const VPX = ['-c:v', 'libvpx', '-deadline', 'realtime', '-c:a', 'libopus']

  test.each([
    ['subtitles', 'mp4', ...BOTH, '-map', '1', '-c', 'copy', '-c:s', 'mov_text'],
    ['subtitles', 'mov', ...BOTH, '-map', '1', '-c', 'copy', '-c:s', 'mov_text'],
    ['subtitles', 'webm', ...BOTH, '-map', '1', ...VPX, '-c:s', 'webvtt'],
    ['a second sound', 'mp4', ...BOTH, '-map', '0:a', '-c', 'copy', '-c:a:1', 'ac3'],
    ['a second video', 'mov', ...BOTH, '-map', '0:v', '-c', 'copy', '-c:v:1', 'prores'],
    ['a sound before its usual one', 'mp4', ...BOTH, '-map', '0:a', '-c', 'copy', '-c:a:0', 'ac3'],
    ['two sounds before its usual one', 'mov', ...BOTH, ...TWICE, '-c', 'copy', '-c:a:0', 'eac3', '-c:a:1', 'ac3'],
    ['a video before its usual one', 'mov', ...BOTH, '-map', '0:v', '-c', 'copy', '-c:v:0', 'prores'],
    ['a cover', 'mp4', ...BOTH, '-map', '2', '-c', 'copy', '-c:v:1', 'bmp', '-disposition:v:1', 'attached_pic'],
  ])('a video with %s in an unsupported format is accepted without it: %s', async (what, container, ...args) => {
    const answer = await upload(await withStream(`${what.replaceAll(' ', '-')}.${container}`, ...args))
    const attachment = attachmentOf(answer)
    expect(attachment).toMatchObject({ type: 'video', meta: { original: { width: 64, height: 48 } } })
    const path = join(dir, 'stored.mp4')
    await writeFile(path, await harness.read(attachment.url ?? ''))
    const look = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', path]
    expect((await run(harness.context().config.ffprobePath, look)).stdout.trim().split('\n')).toEqual(['h264', 'aac'])
  })

  test('a video track without frames is no video', async () => {
    const empty = ['-vf', 'trim=end=0', '-c:v', 'libvpx', '-c:a', 'libopus']
    const { type, meta } = attachmentOf(await upload(await film('empty.webm', ...empty)))
    expect(type).toBe('audio')
    expect(meta?.original).toEqual({ duration: expect.closeTo(1, 1), bitrate: expect.any(Number) })
    const silent = await upload(await film('empty-silent.webm', ...empty, '-an'))
    expect([silent.status, silent.body.error]).toEqual([422, 'Error processing thumbnail for uploaded media'])
  })

  test.each([
    ['mp3', 'bmp'],
    ['mp3', 'tiff'],
    ['m4a', 'bmp'],
    ['flac', 'bmp'],
  ])(
    'a sound in a %s with a cover in the unsupported format %s is accepted without a cover',
    async (container, cover) => {
      const args = [...['-map', '0:a', '-map', '2', '-c:v', cover, '-disposition:v', 'attached_pic']]
      const attachment = attachmentOf(await upload(await withStream(`${cover}.${container}`, ...args)))
      expect(attachment).toMatchObject({
        type: 'audio',
        preview_url: null,
        meta: { original: { duration: expect.any(Number) } },
      })
    },
  )

  /** Writes the matrix `a b c d` for display into the header of the first track of an mp4. */
  const displayed = (bytes: Buffer, matrix: readonly [number, number, number, number]): Buffer => {
    const changed = Buffer.from(bytes)
    const at = changed.indexOf('tkhd') + 44
    for (const [place, value] of [0, 1, 3, 4].map((place, i) => [place, matrix[i] ?? 0] as const))
      changed.writeInt32BE(value * 65_536, at + place * 4)
    return changed
  }

  test.each([
    ['a mirrored', [-1, 0, 0, 1], [64, 48], 'right'],
    ['an upside down mirrored', [1, 0, 0, -1], [64, 48], 'left'],
    ['a turned mirrored', [0, 1, 1, 0], [48, 64], 'top'],
    ['a turned back mirrored', [0, -1, -1, 0], [48, 64], 'bottom'],
  ] as const)(
    '%s video is described and previewed as players show it',
    async (_what, matrix, [width, height], side) => {
      const halves = ['-vf', "scale=64:48,setsar=1,geq=r='255*lt(X,32)':g=0:b='255*gte(X,32)'"]
      const source = await film(`halves-${side}.mp4`, ...halves, ...H264)
      const { meta, preview_url } = attachmentOf(await upload(displayed(source, matrix)))
      expect(meta).toMatchObject({ original: { width, height }, small: { width, height } })
      const preview = sharp(await harness.read(preview_url ?? '')).removeAlpha()
      const { data, info } = await preview.raw().toBuffer({ resolveWithObject: true })
      const isRed = (x: number, y: number) => (data[(y * info.width + x) * 3] ?? 0) > 150
      const [middle, center] = [info.width >> 1, info.height >> 1]
      const sides = {
        left: isRed(4, center),
        right: isRed(info.width - 5, center),
        top: isRed(middle, 4),
        bottom: isRed(middle, info.height - 5),
      }
      const opposite = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const
      expect(sides).toMatchObject({ [side]: true, [opposite[side]]: false })
    },
  )

  test.each([
    [1, 1],
    [1, 2],
    [3, 1],
    [1, 40],
  ])('an animation of %d × %d pixels becomes a clip', async (width, height) => {
    const answer = await upload(await movingGif(width, height, 3))
    expect(attachmentOf(answer)).toMatchObject({ type: 'gifv' })
  })

  test.each([
    ['gif', 20_000, 4, 'gifv'],
    ['gif', 4, 20_000, 'gifv'],
    ['mov', 20_000, 4, 'gifv'],
  ])('a %s of %d × %d pixels becomes a video that browsers play', async (container, width, height, type) => {
    const path = join(dir, `long-${width}.${container}`)
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=10:duration=0.3', '-vf', `scale=${width}:${height}`]
    const codec = container === 'gif' ? [] : ['-c:v', 'png']
    await run(harness.context().config.ffmpegPath, ['-loglevel', 'error', ...source, ...codec, path])
    const attachment = attachmentOf(await upload(await readFile(path)))
    const long = { width: width > height ? 16_382 : 2, height: height > width ? 16_382 : 2 }
    expect(attachment).toMatchObject({ type, meta: { original: long } })
  })

  test('a GIF of more than a thousand frames becomes a clip', async () => {
    const path = join(dir, 'long.gif')
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=16x12:rate=50:duration=24']
    await run(harness.context().config.ffmpegPath, ['-loglevel', 'error', ...source, path])
    const { type, meta } = attachmentOf(await upload(await readFile(path)))
    expect([type, meta?.original]).toMatchObject(['gifv', { duration: 24 }])
  })

  const EACH_CONTAINER: readonly [string, ...string[]][] = [
    ['mp4', '-c:v', 'mpeg4'],
    ['mov', '-c:v', 'libx264'],
    ['m4v', '-c:v', 'libx264', '-f', 'mp4'],
    ['webm', '-c:v', 'libvpx', '-deadline', 'realtime'],
    // Without a duration, as browsers record.
    ['live.webm', '-c:v', 'libvpx', '-deadline', 'realtime', '-live', '1'],
    ['ogv', '-c:v', 'libtheora', '-q:v', '7'],
    ['wmv', '-c:v', 'wmv2'],
    ['asf', '-c:v', 'msmpeg4'],
  ]
  /** A silent video of a second, of a source with this many frames per second. */
  const clip = async (name: string, rate: number, ...args: string[]): Promise<Buffer> => {
    const path = join(dir, name)
    const source = ['-f', 'lavfi', '-i', `testsrc=size=64x48:rate=${rate}:duration=1`]
    await run(harness.context().config.ffmpegPath, ['-loglevel', 'error', ...source, ...args, path])
    return readFile(path)
  }
  /** Keeps about `rate` of a thousand frames per second, at intervals that differ. */
  const uneven = (rate: number) => [
    ...['-vf', `select='lt(random(0)\\,${rate / 1_000})'`, '-vsync', 'vfr', '-enc_time_base', '1/1000'],
  ]

  describe.each(EACH_CONTAINER)('a video in the container %s', (container, ...codecs) => {
    const isRead = !/wmv|asf/.test(container)
    /** The error, or the frame rate of the stored video. */
    const outcome = async (bytes: Buffer) => {
      const answer = await upload(bytes)
      if (answer.status !== 200) return answer.body.error
      const { original } = attachmentOf(answer).meta ?? {}
      const [count = 0, seconds = 1] = (original && 'frame_rate' in original ? String(original.frame_rate) : '')
        .split('/')
        .map(Number)
      return `${Math.round(count / seconds)} frames per second`
    }

    test('above the frame rate limit is refused with its rate', async () => {
      expect(await outcome(await clip(`240.${container}`, 240, ...codecs))).toBe('240fps videos are not supported')
    })

    test('with uneven frames is measured', async () => {
      const fast = await outcome(await clip(`uneven-400.${container}`, 1_000, ...uneven(400), ...codecs))
      expect(fast).toMatch(/^(1[2-9]|[2-4]\d)\dfps videos are not supported$/)
      const slow = await outcome(await clip(`uneven-30.${container}`, 1_000, ...uneven(30), ...codecs))
      if (isRead) expect(slow).toMatch(/^[1-6]\d? frames per second$/)
      else expect(slow).toMatch(/^\w+ videos are not supported$/)
    })
  })

  test('A158 a video in an unsupported format is refused before ffmpeg reads it', async () => {
    const answer = await upload(await film('a.avi', '-c:v', 'magicyuv'))
    expect([answer.status, answer.body.error]).toEqual([422, 'File type of uploaded media could not be verified'])
  })

  test('A160 only readable media types are published', async () => {
    const { mime_types: types } = await harness.cluster.call(attachmentFormats, {})
    expect(types).toContain('image/jpeg')
    expect([types.includes('video/mp4'), types.includes('audio/mpeg')]).toEqual([true, true])
    expect(types.some((type) => /heic|heif/.test(type))).toBe(false)
  })
})
