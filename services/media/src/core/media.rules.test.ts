/** Tests of small rules of media. */
import { fail } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { describe, expect, test } from 'vitest'
import { claimedSize, cutText, safeBlurhash, typeOfMedia } from './attachment/declared-file.rules.js'
import { parseFocus, safeFocus } from './attachment/focus.rules.js'
import { checkDescription, refusedOf, statusOfState } from './attachment/rules.js'
import {
  checkPicture,
  checkUpload,
  isUndecodable,
  readableTypes,
  refusedPicture,
  tooLargeConverted,
  tooSlow,
  undecodable,
} from './file/upload.rules.js'
import { colorsOf, type Rgb } from './image/colors.rules.js'
import { geometryOf, withinArea, withinSide } from './image/geometry.rules.js'
import { readToken, signToken } from './remote-file/proxy-token.rules.js'
import { isEncrypted } from './video/encryption.rules.js'
import {
  audioCodecIn,
  checkStreams,
  endIn,
  isDoubtful,
  isPlayable,
  measuredFrom,
  Probe,
  refuseMeasured,
  shownSize,
  streamsOf,
  usedFrom,
} from './video/streams.rules.js'

describe('sizes', () => {
  test('a copy keeps its aspect ratio and is never enlarged', () => {
    expect(withinArea({ width: 100, height: 50 }, 8_294_400)).toEqual({ width: 100, height: 50 })
    expect(withinArea({ width: 7_680, height: 4_320 }, 8_294_400)).toEqual({ width: 3_840, height: 2_160 })
    expect(withinArea({ width: 33_000_000, height: 1 }, 230_400)).toEqual({ width: 16_383, height: 1 })
    expect(withinSide({ width: 1_920, height: 1_080 }, 640)).toEqual({ width: 640, height: 360 })
    expect(withinSide({ width: 10, height: 20 }, 640)).toEqual({ width: 10, height: 20 })
    expect(geometryOf({ width: 640, height: 360 })).toEqual({
      width: 640,
      height: 360,
      size: '640x360',
      aspect: 640 / 360,
    })
  })
})

test.each([
  [0, '320x180'],
  [90, '180x320'],
  [-90, '180x320'],
  [180, '320x180'],
  [270, '180x320'],
  [89, '180x320'],
  [45, '320x180'],
  [80, '320x180'],
  [-135, '320x180'],
])('a video rotated by %d° is shown as %s', (rotation, expected) => {
  const video = { codec_type: 'video', width: 320, height: 180, side_data_list: [{ rotation }] }
  const { width, height } = shownSize(streamsOf(Probe.parse({ streams: [video] })).video as never)
  expect(`${width}x${height}`).toBe(expected)
})

describe('focus', () => {
  test.each([
    ['0.5,-0.25', [0.5, -0.25]],
    [' 1 , .5 ', [1, 0.5]],
    ['-7,7', [-1, 1]],
    ['0,0', [0, 0]],
  ])('the focal point %j is parsed', (text, expected) => {
    expect(parseFocus(text)).toEqual(expected)
  })
  test.each(['left', '1', '1,2,3', ',', 'NaN,1', '1e9,0', '0x1,0'])(
    'the focal point %j is refused with an error that names the field',
    (text) => {
      expect(() => parseFocus(text)).toThrow('Validation failed: Focus must be two numbers')
    },
  )
  test('an absent focal point is null, and so is an invalid remote one', () => {
    expect([parseFocus(null), parseFocus(undefined), safeFocus(null), safeFocus([Number.NaN, 0])]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})

describe('attachments', () => {
  test('each state has the HTTP status of the API', () => {
    expect([statusOfState('done'), statusOfState('processing'), statusOfState('cached')]).toEqual([200, 206, 200])
    expect(() => statusOfState('failed')).toThrow('Error processing thumbnail for uploaded media')
  })
  test('the length of a description is counted in code points', () => {
    expect(checkDescription('🐈'.repeat(10_000))).toHaveLength(20_000)
    expect(() => checkDescription('x'.repeat(10_001))).toThrow('Description is too long (maximum is 10000 characters)')
    expect([checkDescription(null), checkDescription(undefined)]).toEqual([null, undefined])
  })
  test('an attachment of another status is refused', () => {
    const rows = [
      { id: '1', status: null, state: 'done' as const },
      { id: '2', status: '7', state: 'done' as const },
      { id: '3', status: '8', state: 'done' as const },
      { id: '4', status: null, state: 'failed' as const },
    ]
    expect(refusedOf(rows, ['1', '2', '3', '4', '5'], '7', [])).toEqual({
      missing: ['3', '5'],
      unprocessed: ['4'],
    })
    expect(refusedOf(rows, ['3'], '7', ['9', '8'])).toEqual({ missing: [], unprocessed: [] })
  })
})

describe('uploads', () => {
  const jpeg = { mediaType: 'image/jpeg', kind: 'image', demuxer: null } as const
  const gif = { mediaType: 'image/gif', kind: 'image', demuxer: 'gif' } as const
  const mp4 = { mediaType: 'video/mp4', kind: 'video', demuxer: 'mov' } as const
  const all = { ffmpeg: true, avif: true }
  const few = { ffmpeg: false, avif: false }
  test('the size of an upload must be less than the limit of its kind', () => {
    expect(checkUpload(jpeg, 16_777_215, all)).toBe(jpeg)
    expect(() => checkUpload(jpeg, 16_777_216, all)).toThrow('File size must be less than 16 MB')
    expect(checkUpload(gif, 16_777_216, all)).toBe(gif)
    expect(() => checkUpload(gif, 16_777_216, few)).toThrow('File size must be less than 16 MB')
    expect(checkUpload(mp4, 103_809_023, all)).toBe(mp4)
    expect(() => checkUpload(mp4, 103_809_024, all)).toThrow('File size must be less than 99 MB')
    expect(() => checkPicture('Avatar', jpeg, 8_388_608, 8_388_608)).toThrow('Avatar size must be less than 8 MB')
    expect(checkPicture('Image', jpeg, 262_143, 262_144)).toBe(jpeg)
    expect(() => checkPicture('Image', jpeg, 262_144, 262_144)).toThrow('Image size must be less than 256 KB')
  })
  test('A160 only media types that the machine can read are published', () => {
    const pictures = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
    expect(readableTypes({ ffmpeg: false, avif: false })).toEqual(pictures)
    expect(readableTypes({ ffmpeg: false, avif: true })).toEqual([...pictures, 'image/avif'])
    const all = readableTypes({ ffmpeg: true, avif: true })
    expect(limits.media.mimeTypes.filter((type) => !all.includes(type))).toEqual(['image/heic', 'image/heif'])
  })
  test('A160 the error for an unsupported file names its media type', () => {
    const heic = { ...jpeg, mediaType: 'image/heic' }
    const avif = { ...jpeg, mediaType: 'image/avif' }
    expect(() => checkUpload(heic, 1, all)).toThrow('File content type image/heic is not supported here')
    expect(() => checkUpload(avif, 1, few)).toThrow('File content type image/avif is not supported here')
    expect(checkUpload(avif, 1, all)).toBe(avif)
    expect(() => checkUpload(mp4, 1, few)).toThrow('File content type video/mp4 is not supported here')
    expect(() => checkUpload(null, 1, all)).toThrow('File type of uploaded media could not be verified')
    expect(() => checkPicture('Header', mp4, 1, 9)).toThrow('Header content type is not supported')
  })
  test('an undecodable file is recognised by its error, not by the text of the error', () => {
    const sameText = fail('unknown', 'Error processing thumbnail for uploaded media')
    const errors = [undecodable(), tooSlow(1_000), tooLargeConverted(), sameText]
    expect(errors.map(isUndecodable)).toEqual([true, false, false, false])
  })
  test('refusals of the decoder have the error texts of the API', () => {
    const size = { width: 9, height: 8 }
    expect(refusedPicture('too-many-pixels', size).message).toBe('9x8 images are not supported')
    expect(refusedPicture('too-many-frames', size, 1_200)).toMatchObject({
      status: 422,
      message: 'Pictures with 1200 frames are not supported',
    })
    expect(refusedPicture('broken', size).message).toBe(
      'Error processing thumbnail for uploaded media: the file is damaged or incomplete',
    )
    expect(refusedPicture('unreadable', null).message).toBe('File type of uploaded media could not be verified')
  })
})

describe('remote files', () => {
  test('A153 implausible declarations of a remote server are ignored', () => {
    expect([typeOfMedia('image/png'), typeOfMedia('VIDEO/mp4'), typeOfMedia('text/html')]).toEqual([
      'image',
      'video',
      'unknown',
    ])
    expect([claimedSize(4, 3), claimedSize(0, 3), claimedSize(null, 3), claimedSize(1e6, 3)]).toEqual([
      { width: 4, height: 3 },
      null,
      null,
      null,
    ])
    expect([safeBlurhash('LEHV6nWB2yk8pyo0adR*.7kCMdnj'), safeBlurhash('"><b'), safeBlurhash(null)]).toEqual([
      'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      null,
      null,
    ])
    expect(cutText('a\0bcd', 3)).toBe('abc')
  })
})

describe('signed addresses', () => {
  test('D057 only tokens with a valid signature are read', () => {
    const token = signToken('secret', { letter: 'p', id: '12' })
    expect(token).toMatch(/^p12-[0-9a-f]{40}$/)
    expect(readToken('secret', token)).toEqual({ letter: 'p', id: '12' })
    const forged = ['', 'p12', token.replace('p', 's'), token.replace('12', '13'), `${token}0`, token.toUpperCase()]
    expect(forged.map((text) => readToken('secret', text))).toEqual(forged.map(() => null))
    expect(readToken('another', token)).toBeNull()
  })
})

describe('colours', () => {
  test('the most frequent colour is the background, and the foreground contrasts with it', () => {
    const dark: Rgb = [10, 10, 30]
    const pixels = [
      ...Array(50).fill(dark),
      ...Array(8).fill([250, 250, 250]),
      ...Array(4).fill([250, 20, 60]),
    ] as Rgb[]
    expect(colorsOf(pixels)).toEqual({ background: '#0a0a1e', foreground: '#fafafa', accent: '#fa143c' })
  })
  test('a picture of one colour gets black or white as foreground', () => {
    expect(colorsOf([[255, 255, 255]])).toEqual({ background: '#ffffff', foreground: '#000000', accent: '#000000' })
    expect(colorsOf([[0, 0, 0]])).toMatchObject({ foreground: '#ffffff' })
    expect(colorsOf([])).toBeNull()
  })
})

describe('streams', () => {
  const probe = (streams: object[], format: object = {}) => streamsOf(Probe.parse({ streams, format }))
  const video = {
    codec_type: 'video',
    codec_name: 'h264',
    pix_fmt: 'yuv420p',
    width: 640,
    height: 360,
    avg_frame_rate: '30000/1001',
  }
  test('the first video and audio streams are used, and covers are not', () => {
    const cover = { codec_type: 'video', width: 1, height: 1, disposition: { attached_pic: 1 } }
    const ends = (sound: string) =>
      probe(
        [
          { ...video, duration: '9' },
          { codec_type: 'audio', duration: sound },
        ],
        { duration: '10' },
      ).lastFrameEnd
    expect([probe([video], { duration: '10' }).lastFrameEnd, ends('1'), ends('8.8'), ends('10')]).toEqual([10, 9, 0, 0])
    expect(probe([cover, { codec_type: 'audio', codec_name: 'mp3' }], { duration: '3.5', bit_rate: 'N/A' })).toEqual({
      video: null,
      audio: { codec: 'mp3' },
      cover: true,
      duration: 3.5,
      lastFrameEnd: 0,
      bitrate: 0,
    })
    expect(probe([video, { ...video, width: 2 }]).video).toMatchObject({ width: 640, rate: '30000/1001' })
    expect(probe([{ ...video, avg_frame_rate: '0/0', r_frame_rate: '25/1' }]).video?.rate).toBe('25/1')
  })
  test('streams beyond the published limits are refused', () => {
    expect(checkStreams(probe([video]))).toBeTruthy()
    expect(() => checkStreams(probe([]))).toThrow('could not be verified')
    expect(() => checkStreams(probe([{ ...video, width: 3_841, height: 2_160 }]))).toThrow(
      '3841x2160 videos are not supported',
    )
    expect(() => checkStreams(probe([{ ...video, avg_frame_rate: '121/1' }]))).toThrow(
      '121fps videos are not supported',
    )
    expect(() => checkStreams(probe([{ ...video, width: 0 }]))).toThrow('File has no picture')
  })
  test.each([
    ['120/1', true],
    ['12005/100', true],
    ['57540/479', true],
    ['241/2', true],
    ['121/1', false],
    ['240000/1001', false],
  ])(
    'a video of %s frames per second, of which parts are not counted, is accepted: %s',
    (avg_frame_rate, isAccepted) => {
      const streams = probe([{ ...video, avg_frame_rate }])
      if (isAccepted) expect(checkStreams(streams)).toBe(streams)
      else expect(() => checkStreams(streams)).toThrow(/^(?:121|240)fps videos are not supported$/)
      const [count = 0, seconds = 1] = avg_frame_rate.split('/').map(Number)
      const measured = { width: 64, height: 48, codec: 'h264', framesPerSecond: count / seconds }
      if (isAccepted) expect(() => refuseMeasured({ video: measured, sound: null }, ['h264'])).not.toThrow()
      else
        expect(() => refuseMeasured({ video: measured, sound: null }, ['h264'])).toThrow('fps videos are not supported')
    },
  )
  test('the clock of a container is no frame rate', () => {
    const fast = { ...video, avg_frame_rate: '0/0', r_frame_rate: '1000/1' }
    const isMeasured = (fields: object) => isDoubtful(probe([{ ...video, ...fields }]))
    expect(isMeasured(fast)).toBe(true)
    expect(isMeasured({ avg_frame_rate: '1000/1', time_base: '1/1000' })).toBe(true)
    expect(isMeasured({ avg_frame_rate: '0/0', r_frame_rate: '90000/1', time_base: '1/90000' })).toBe(true)
    // A stated rate counts, and so does a guessed one within the limit.
    expect(isMeasured({ avg_frame_rate: '240/1', time_base: '1/240' })).toBe(false)
    expect(isMeasured({ avg_frame_rate: '240/1', r_frame_rate: '1000/1', time_base: '1/1000' })).toBe(false)
    expect(isMeasured({ avg_frame_rate: '95000/2913', r_frame_rate: '1000/1' })).toBe(false)
    expect(isMeasured({ avg_frame_rate: '0/0', r_frame_rate: '30/1', time_base: '1/1000' })).toBe(false)
    const at = (framesPerSecond: number | null) => ({ width: 640, height: 360, codec: 'vp8', framesPerSecond })
    expect(checkStreams(probe([fast]), at(32))).toBeTruthy()
    expect(() => checkStreams(probe([fast]), at(238.4))).toThrow('238fps videos are not supported')
    expect(checkStreams(probe([fast]), at(null))).toBeTruthy()
    expect(() => checkStreams(probe([fast]))).toThrow('1000fps videos are not supported')
    // The guessed rate is named if the measured one is about the same.
    expect(() => checkStreams(probe([{ ...fast, r_frame_rate: '240/1' }]), at(239.2))).toThrow('240fps')
  })
  test('size, codec and frame rate are measured by the packets', () => {
    const packets = [0, 4, 8, 13].map((time) => `0, ${String(time).padStart(10)}, ${time}, 4, 1753, 0x5ec516cf`)
    const output = ['#tb 0: 1/1000', '#codec_id 0: wmv2', '#dimensions 0: 64x48', ...packets].join('\n')
    expect(measuredFrom(output)).toEqual({ width: 64, height: 48, codec: 'wmv2', framesPerSecond: 3 / 0.013 })
    expect(measuredFrom(output.split('\n').slice(0, 4).join('\n'))).toMatchObject({ framesPerSecond: null })
    expect(measuredFrom('')).toBeNull()
  })
  test('the end of a video is that of its last packet, also if all packets are listed', () => {
    const packets = ['0, 0, 0, 10, 1753, 0x5ec516cf', '0, 10, 10, 10, 18, 0x5ec516cf', '0, 20, 20, 300, 18, 0x5ec516cf']
    expect(endIn(['#tb 0: 1/100', ...packets].join('\n'))).toBe(3.2)
    expect(endIn(['#tb 0: 1/100', ...packets.slice(-1)].join('\n'))).toBe(3.2)
    expect(endIn('#tb 0: 1/100')).toBe(0)
  })
  test('a video that cannot be probed is refused with the unsupported value', () => {
    const refused = (measured: object) => () =>
      refuseMeasured(
        { video: { width: 64, height: 48, codec: 'vp8', framesPerSecond: 30, ...measured }, sound: null },
        ['vp8'],
      )
    expect(refused({ framesPerSecond: 240, codec: 'wmv2' })).toThrow('240fps videos are not supported')
    expect(refused({ width: 7_680, height: 4_320, codec: 'wmv2' })).toThrow('7680x4320 videos are not supported')
    expect(refused({ codec: 'wmv2' })).toThrow('wmv2 videos are not supported')
    expect(refused({})).not.toThrow()
    expect(() => refuseMeasured({ video: null, sound: null }, [])).not.toThrow()
  })
  test('a file with a sound that cannot be read is refused with the codec of the sound', () => {
    const output = ['#media_type 0: video', '#codec_id 0: h264', '#media_type 1: audio', '#codec_id 1: ac3'].join('\n')
    expect(audioCodecIn(output)).toBe('ac3')
    expect(audioCodecIn(output.replace('audio', 'data'))).toBeNull()
    const refused = (sound: string) => () => refuseMeasured({ video: null, sound }, ['aac', 'amrnb', 'adpcm_ms'])
    expect(refused('ac3')).toThrow('ac3 sounds are not supported')
    for (const sound of ['aac', 'amr_nb', 'adpcm_ms']) expect(refused(sound)).not.toThrow()
  })
  test('the first video and the first sound that can be read are used', () => {
    const list = (...streams: string[]) =>
      streams.flatMap((one, at) => {
        const [kind, codec] = one.split(' ')
        return [`#tb ${at}: 1/90000`, `#media_type ${at}: ${kind}`, `#codec_id ${at}: ${codec}`]
      })
    const used = (...streams: string[]) => usedFrom(list(...streams).join('\n'), ['h264', 'aac', 'amrnb'])
    expect(used('video h264', 'audio ac3', 'audio aac')).toEqual({ video: 0, sound: 1 })
    expect(used('video prores', 'video h264', 'audio aac', 'audio ac3')).toEqual({ video: 1, sound: 0 })
    expect(used('audio dts', 'audio eac3', 'audio amr_nb')).toEqual({ video: 0, sound: 2 })
    expect(used('video prores', 'audio ac3')).toEqual({ video: 0, sound: 0 })
    expect(used()).toEqual({ video: 0, sound: 0 })
  })
  test('streams that all browsers play are not transcoded', () => {
    const aac = { codec_type: 'audio', codec_name: 'aac' }
    expect(isPlayable(probe([video, aac]))).toBe(true)
    expect(isPlayable(probe([{ ...video, pix_fmt: 'yuv444p' }, aac]))).toBe(false)
    expect(isPlayable(probe([video, { ...aac, codec_name: 'opus' }]))).toBe(false)
  })
})

describe('encryption', () => {
  const box = (type: string, body: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(body.length + 8)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  test('A159 an encrypted stream is detected in the description of streams', () => {
    const stsd = (entry: string) => box('stsd', Buffer.concat([Buffer.alloc(8), box(entry, Buffer.alloc(78))]))
    const moov = (entry: string) => box('trak', box('mdia', box('minf', box('stbl', stsd(entry)))))
    expect(isEncrypted(moov('avc1'))).toBe(false)
    expect(isEncrypted(moov('encv'))).toBe(true)
    expect(isEncrypted(Buffer.concat([box('mvhd', Buffer.alloc(100)), box('pssh', Buffer.alloc(4))]))).toBe(true)
  })
  test('malformed boxes are no encrypted stream, and parsing ends', () => {
    expect(isEncrypted(Buffer.alloc(1_000_000))).toBe(false)
    expect(isEncrypted(Buffer.concat([Buffer.from([0, 0, 0, 0]), Buffer.from('moov'), Buffer.alloc(50, 1)]))).toBe(
      false,
    )
    expect(isEncrypted(Buffer.from('0000000a6d6f6f76', 'hex'))).toBe(false)
  })
})
