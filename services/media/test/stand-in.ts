/** Fake ffmpeg and ffprobe: two small programs that follow instructions in the file that they read. */
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noise } from './pictures.js'

export interface StandIn {
  /** Settings with the paths of the programs. */
  env: Record<string, string>
  /** Arguments and kernel limits of all runs of the programs, newest last. */
  log(): Promise<string>
  /** Whether a program has read a file that says `ONCE`. */
  slept(): Promise<boolean>
  /** Process ids of all runs. */
  pids(): Promise<number[]>
}

const PROBE = {
  video: {
    streams: [
      { codec_type: 'video', codec_name: 'vp8', pix_fmt: 'yuv420p', width: 640, height: 360, avg_frame_rate: '30/1' },
      { codec_type: 'audio', codec_name: 'opus' },
    ],
    format: { duration: '4.5', bit_rate: '800000' },
  },
  large: {
    streams: [{ codec_type: 'video', codec_name: 'vp8', width: 7_680, height: 4_320, avg_frame_rate: '30/1' }],
    format: { duration: '1', bit_rate: '1' },
  },
  audio: { streams: [{ codec_type: 'audio', codec_name: 'vorbis' }], format: { duration: '3', bit_rate: '96000' } },
  made: {
    streams: [
      { codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', width: 640, height: 360, avg_frame_rate: '30/1' },
      { codec_type: 'audio', codec_name: 'aac' },
    ],
    format: { duration: '4.5', bit_rate: '600000' },
  },
  silent: {
    streams: [
      { codec_type: 'video', codec_name: 'h264', pix_fmt: 'yuv420p', width: 640, height: 360, avg_frame_rate: '30/1' },
    ],
    format: { duration: '4.5', bit_rate: '600000' },
  },
}

/** A file that begins like a WebM video. `says`: instructions for the fake programs. */
export const webm = (says = ''): Buffer =>
  Buffer.concat([
    Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'),
    Buffer.from(` ${says} `),
    Buffer.alloc(64),
  ])
/** A file that begins like an Ogg sound. */
export const ogg = (says = ''): Buffer => Buffer.concat([Buffer.from(`OggS\0\x02 ${says} OpusHead`), Buffer.alloc(64)])
/** An mp4 whose stream is encrypted. */
export const encryptedMp4 = (): Buffer => {
  const box = (type: string, ...inner: Buffer[]): Buffer => {
    const body = Buffer.concat(inner)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(body.length + 8)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  const stsd = box('stsd', Buffer.alloc(8), box('encv', Buffer.alloc(80)))
  const trak = box('trak', box('mdia', box('minf', box('stbl', stsd))))
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isommp42')),
    box('mdat', Buffer.alloc(40)),
    box('moov', trak),
  ])
}

export const makeStandIn = async (dir: string): Promise<StandIn> => {
  const at = (name: string) => join(dir, name)
  await mkdir(dir, { recursive: true })
  await Promise.all(Object.entries(PROBE).map(([name, answer]) => writeFile(at(name), JSON.stringify(answer))))
  await noise(320, 180).png().toFile(at('frame'))
  const script = (...lines: string[]) =>
    `#!/bin/sh\necho "$$" >> '${at('pids')}'\necho "$0 $*" >> '${at('log')}'\n${lines.join('\n')}\n`
  await writeFile(
    at('ffprobe'),
    script(
      `grep -q SILENT in && exec cat '${at('silent')}'`,
      `case "$*" in *file:out*) exec cat '${at('made')}' ;; esac`,
      `grep -q OpusHead in && exec cat '${at('audio')}'`,
      `grep -q LARGE in && exec cat '${at('large')}'`,
      'grep -q UNREADABLE in && exit 1',
      `exec cat '${at('video')}'`,
    ),
  )
  await writeFile(
    at('ffmpeg'),
    script(
      `grep 'Max ' /proc/self/limits >> '${at('log')}'`,
      `case "$*" in *'-h long'*) exit 0 ;; esac`,
      `case "$*" in *file:frame*) exec cp '${at('frame')}' frame ;; esac`,
      'grep -q SLOW in && exec sleep 120',
      `grep -q ONCE in && [ ! -e '${at('slept')}' ] && touch '${at('slept')}' && exec sleep 120`,
      `grep -q FULL in && [ ! -e '${at('full')}' ] && touch '${at('full')}' && echo 'out: No space left on device' >&2 && exit 1`,
      'grep -q KILLED in && kill -9 $$',
      'grep -q BRIEF in && sleep 2',
      'grep -q BROKEN in && exit 1',
      'grep -q OVERSIZE in && exec truncate -s 500000000 out',
      'grep -q STOPPED in && exec truncate -s 415236096 out',
      'grep -q BULKY in && exec truncate -s 150000000 out',
      'echo made > out',
    ),
  )
  await Promise.all([chmod(at('ffprobe'), 0o755), chmod(at('ffmpeg'), 0o755)])
  const read = (name: string) => readFile(at(name), 'utf8').catch(() => '')
  return {
    env: { MEDIA_FFMPEG: 'auto', FFMPEG_PATH: at('ffmpeg'), FFPROBE_PATH: at('ffprobe') },
    log: () => read('log'),
    slept: () =>
      access(at('slept')).then(
        () => true,
        () => false,
      ),
    pids: async () => (await read('pids')).split('\n').filter(Boolean).map(Number),
  }
}
