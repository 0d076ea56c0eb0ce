/** Tests of the arguments of ffmpeg and ffprobe. */
import { expect, test } from 'vitest'
import {
  audioArguments,
  frameArguments,
  gifvArguments,
  lastPacketArguments,
  listArguments,
  probeArguments,
  probeMadeArguments,
  reduceArguments,
  videoArguments,
} from './ffmpeg-arguments.js'

const reading = [
  probeArguments('mov'),
  videoArguments('mov', true),
  videoArguments('mov', false),
  gifvArguments('gif', 3.3),
  audioArguments('mp3'),
  frameArguments('mov', 'V:0'),
  reduceArguments('mov'),
  reduceArguments('mov', { video: 1, sound: 2 }),
]

test('A158 A166 D055 an untrusted file is read as one format, from one file, with few decoders', () => {
  for (const args of reading) {
    const input = args.indexOf('-i')
    const before = args.slice(0, input)
    const after = (name: string) => before[before.indexOf(name) + 1]
    expect(after('-protocol_whitelist')).toBe('file,pipe')
    expect(after('-format_whitelist')).toBe(after('-f'))
    expect(after('-format_whitelist')).toMatch(/^(mov|gif|mp3)$/)
    expect(after('-codec_whitelist')).toContain('h264')
    expect(after('-codec_whitelist')).not.toMatch(/magicyuv|tiff|exr|ffv1/)
    expect(args[input + 1]).toBe('file:in')
    expect(args.filter((arg) => arg === '-i')).toHaveLength(1)
  }
})

test('D055 A165 output has a size limit, two threads, no terminal input and no metadata', () => {
  for (const args of reading.slice(1)) {
    expect(args).toContain('-nostdin')
    expect(args[args.indexOf('-threads') + 1]).toBe('2')
    expect(args[args.indexOf('-map_metadata') + 1]).toBe('-1')
    expect(args.at(-1)).toMatch(/^file:(out|frame|used)$/)
  }
  for (const args of [...reading.slice(1, 5), ...reading.slice(6)])
    expect(args[args.indexOf('-fs') + 1]).toBe('415236096')
  for (const args of reading.slice(2, 4)) expect(args[args.indexOf('-frames:v') + 1]).toBe('36000')
})

test('a video whose streams are copied keeps its full length', () => {
  expect(videoArguments('mov', true)).not.toContain('-frames:v')
})

test('results of ffmpeg are probed from the work directory only', () => {
  expect(probeMadeArguments('out', 'mov').slice(-2)).toEqual(['-i', 'file:out'])
})

test('the streams of a file are listed by one packet each, and not decoded', () => {
  const args = listArguments('mov')
  expect(args.slice(args.indexOf('-map')).join(' ')).toBe(
    '-map 0:V? -map 0:a? -frames:v 1 -c copy -frames:a 1 -f framecrc pipe:1',
  )
  expect(lastPacketArguments('gif', 4).slice(-9).join(' ')).toBe(
    '-map 0:V:0 -c copy -bsf:v noise=amount=0:drop=lt(n\\,2) -f framecrc pipe:1',
  )
  const reduced = reduceArguments('mov', { video: 1, sound: 2 }).join(' ')
  expect(reduced).toContain('-map 0:V:1? -map 0:a:2? ')
})
