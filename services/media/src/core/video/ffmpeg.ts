/** Transcodes videos and sounds in a work directory, with ffmpeg if the machine has it. */
import { constants } from 'node:fs'
import { access, rename, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { Failure, fail, isRetryable } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import {
  isUndecodable,
  tooLargeConverted,
  tooSlow,
  undecodable,
  unlessRetryable,
  unverified,
} from '../file/upload.rules.js'
import { noSpace } from '../file/work-directory.js'
import { ChildStopped, createChildren, FILE_TOO_LARGE } from '../process/child.js'
import { isEncrypted } from './encryption.rules.js'
import {
  audioArguments,
  DECODERS,
  filterListArguments,
  frameArguments,
  gifvArguments,
  hasColorMapping,
  isBeforeFpsMode,
  lastPacketArguments,
  listArguments,
  measureArguments,
  optionListArguments,
  probeArguments,
  probeMadeArguments,
  reduceArguments,
  videoArguments,
} from './ffmpeg-arguments.js'
import { readMoov } from './mp4-boxes.js'
import {
  audioCodecIn,
  checkStreams,
  endIn,
  isDoubtful,
  isPlayable,
  type Measured,
  measuredFrom,
  Probe,
  refuseMeasured,
  type Streams,
  streamsOf,
  type Used,
  usedFrom,
  type Video,
} from './streams.rules.js'

/** Result of transcoding the file `in`: the file `out`, and the first frame or cover if there is one. */
export interface Transcoded {
  /** A video without sound is a `gifv`, as in Mastodon, because animations are sent between servers as such videos. */
  type: 'gifv' | 'video' | 'audio'
  mediaType: 'video/mp4' | 'audio/mpeg'
  streams: Streams
  /** Name of the file in the work directory with the first frame or the cover; null if there is neither. */
  frame: string | null
}

export interface Ffmpeg {
  available(): Promise<boolean>
  /**
   * Transcodes `in` to a format that clients play. Throws `unprocessable` if the file is at fault.
   * `during`: called once the transcoder runs, for fault injection.
   */
  transcode(dir: string, demuxer: string, during?: () => Promise<void> | void): Promise<Transcoded>
  close(): void
}

export interface FfmpegOptions {
  enabled: boolean
  ffmpeg: string
  ffprobe: string
  timeoutMs: number
  memoryBytes: number
  env: NodeJS.ProcessEnv
  /**
   * Clock in milliseconds that determines when the programs are looked up again. The default clock is
   * `performance.now`.
   */
  now?: () => number
  /**
   * `onLook` is called with whether the programs were found: after the first look-up, and after each one with another
   * result.
   */
  onLook?: (found: boolean) => void
  /**
   * `onColorMapping` is called with whether ffmpeg can map colours of high dynamic range: at the first video with such
   * colours, and at each one with another result.
   */
  onColorMapping?: (able: boolean) => void
}

const PROBE_MS = 20_000
const decoders = DECODERS.split(',')
/** Milliseconds after which the programs are looked up again, whether they were found or not. */
const LOOK_AGAIN_MS = 60_000

const find = async (program: string, path: string): Promise<string | null> => {
  const places = isAbsolute(program) ? [program] : path.split(delimiter).map((dir) => join(dir, program))
  const found = await Promise.all(
    places.map((place) =>
      access(place, constants.X_OK).then(
        () => place,
        () => null,
      ),
    ),
  )
  return found.find((place) => place !== null) ?? null
}

/**
 * Maximum size of a file in bytes, which the kernel enforces. It exceeds the limit of ffmpeg by the index of a file,
 * and by packets that ffmpeg writes after it reached its limit.
 */
const FILE_BYTES = limits.media.convertedBytes + 64 * 1_048_576

/** Error for a program that was stopped. If it was stopped from outside, the error permits a retry. */
const afterStop = (cause: ChildStopped, timeoutMs: number) => {
  if (cause.reason === 'time') return tooSlow(timeoutMs)
  return cause.reason === 'output'
    ? undecodable()
    : fail('unavailable', 'There was a temporary problem serving your request, please try again', { cause })
}

/**
 * A rejection handler that returns `instead` if the program could not decode the file. Other failures, such as a
 * program that was stopped from outside or at its time limit, say nothing about the content of the file, and are thrown
 * on.
 */
const whenUndecodable =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (isUndecodable(error)) return instead
    throw error
  }

/** Matches the message of a program that could not write because the disk was full. */
const FULL_DISK = /No space left on device|Disk quota exceeded/

/** Throws if ffmpeg stopped a file at its size limit. */
const checkConverted = async (path: string): Promise<void> => {
  if ((await stat(path)).size >= limits.media.convertedBytes) throw tooLargeConverted()
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  )

export const createFfmpeg = (options: FfmpegOptions): Ffmpeg => {
  const children = createChildren()
  const now = options.now ?? (() => performance.now())
  let programs: Promise<{ ffmpeg: string; ffprobe: string } | null> | undefined
  let lookedAt = 0
  let reported: boolean | undefined
  let reportedMapping: boolean | undefined

  const look = async () => {
    const path = options.env.PATH ?? ''
    const [ffmpeg, ffprobe] = options.enabled
      ? await Promise.all([find(options.ffmpeg, path), find(options.ffprobe, path)])
      : [null, null]
    const found = ffmpeg !== null && ffprobe !== null
    if (found !== reported) options.onLook?.(found)
    reported = found
    return found ? { ffmpeg, ffprobe } : null
  }
  const found = () => {
    if (programs && Math.abs(now() - lookedAt) < LOOK_AGAIN_MS) return programs
    lookedAt = now()
    programs = look()
    return programs
  }

  const run = async (
    program: 'ffmpeg' | 'ffprobe',
    args: string[],
    cwd: string,
    timeoutMs: number,
    onStart?: () => void,
  ): Promise<string> => {
    const known = await found()
    if (!known) throw unverified()
    const { memoryBytes, env } = options
    const limited = { timeoutMs, memoryBytes, fileBytes: FILE_BYTES }
    const ended = await children
      .run({ program: known[program], args, cwd, env, ...limited, ...(onStart && { onStart }) })
      .catch((error: unknown) => {
        throw error instanceof ChildStopped ? afterStop(error, timeoutMs) : error
      })
    // For some formats, ffmpeg ends with code 0 although the disk was full.
    if (FULL_DISK.test(ended.errors)) throw noSpace()
    if (ended.code === FILE_TOO_LARGE) throw tooLargeConverted()
    if (ended.code !== 0) throw undecodable()
    return ended.stdout
  }

  const probe = async (dir: string, args: string[]): Promise<Streams> => {
    const probed = Probe.safeParse(JSON.parse(await run('ffprobe', args, dir, PROBE_MS)))
    if (!probed.success) throw unverified()
    return streamsOf(probed.data)
  }

  /**
   * Selects the streams to use of a file with several streams: the first video stream and the first audio stream that
   * ffmpeg can decode.
   */
  const choose = async (dir: string, demuxer: string): Promise<Used> =>
    usedFrom(await run('ffmpeg', listArguments(demuxer), dir, PROBE_MS).catch(whenUndecodable('')), decoders)

  /** Size, codec and frame rate from the packets of a video, and the codec of the sound; null if they cannot be read. */
  const measure = async (
    dir: string,
    demuxer: string,
    used?: Used,
  ): Promise<{ video: Measured | null; sound: string | null }> => {
    const output = await run('ffmpeg', measureArguments(demuxer, used), dir, PROBE_MS).catch(whenUndecodable(''))
    return { video: measuredFrom(output), sound: audioCodecIn(output) }
  }

  /** End of the last complete frame of an animation in seconds; 0 if it is unknown. */
  const lastPacketEnd = (dir: string, demuxer: string, frames: number, duration: number): Promise<number> =>
    run('ffmpeg', lastPacketArguments(demuxer, frames), dir, PROBE_MS).then(endIn, whenUndecodable(duration))

  /**
   * Copies only the used streams to a file that replaces `in`, and probes it. Returns null if that fails. Because
   * ffprobe opens the decoder of each stream, it fails at subtitles and further audio streams of other codecs.
   */
  const probeReduced = async (dir: string, demuxer: string, used: Used): Promise<Streams | null> => {
    const isCopied = await run('ffmpeg', reduceArguments(demuxer, used), dir, PROBE_MS).then(
      () => exists(join(dir, 'used')),
      whenUndecodable(false),
    )
    if (!isCopied) return null
    await checkConverted(join(dir, 'used'))
    await rename(join(dir, 'used'), join(dir, 'in'))
    return probe(dir, probeArguments(demuxer)).catch(whenUndecodable(null))
  }

  /** Returns the video without its kind of high dynamic range if ffmpeg lacks the filters that map its colours. */
  const asMappable = async (dir: string, video: Video): Promise<Video> => {
    if (video.hdr === null) return video
    const able = hasColorMapping(await run('ffmpeg', filterListArguments(), dir, PROBE_MS).catch(whenUndecodable('')))
    if (able !== reportedMapping) options.onColorMapping?.(able)
    reportedMapping = able
    return able ? video : { ...video, hdr: null }
  }

  const isOld = async (dir: string): Promise<boolean> =>
    isBeforeFpsMode(await run('ffmpeg', optionListArguments(), dir, PROBE_MS).catch(whenUndecodable('')))

  const frameOf = async (
    dir: string,
    demuxer: string,
    stream: 'V:0' | 'v:0',
    video?: Video,
  ): Promise<string | null> => {
    await run('ffmpeg', frameArguments(demuxer, stream, video), dir, PROBE_MS)
    return (await exists(join(dir, 'frame'))) ? 'frame' : null
  }

  return {
    available: async () => (await found()) !== null,
    async transcode(dir, demuxer, during) {
      if (demuxer === 'mov') {
        const moov = await readMoov(join(dir, 'in'))
        if (moov === null || isEncrypted(moov)) throw unverified()
      }
      const probed = await probe(dir, probeArguments(demuxer)).catch(async (error) => {
        if (error instanceof Failure && isRetryable(error)) throw error
        const used = await choose(dir, demuxer)
        refuseMeasured(await measure(dir, demuxer, used), decoders)
        return (await probeReduced(dir, demuxer, used)) ?? Promise.reject(error)
      })
      const streams = checkStreams(probed, isDoubtful(probed) ? (await measure(dir, demuxer)).video : null)
      const make = async (args: string[]) => {
        let injected: unknown
        await run('ffmpeg', args, dir, options.timeoutMs, () => {
          injected = during?.()
        })
        await injected
        await checkConverted(join(dir, 'out'))
      }
      const { audio, cover, duration, lastFrameEnd } = streams
      const video = streams.video && (await asMappable(dir, streams.video))
      const first = video && (await frameOf(dir, demuxer, 'V:0', video))
      // A video track without frames is no video. Such a file is processed as a sound, or refused if it has none.
      if (video === null || first === null) {
        if (audio === null) throw undecodable()
        await make(audioArguments(demuxer))
        // A cover that cannot be extracted is no reason to refuse the audio file.
        const frame = cover ? await frameOf(dir, demuxer, 'v:0').catch(unlessRetryable(null)) : null
        const made = await probe(dir, probeMadeArguments('out', 'mp3'))
        return { type: 'audio', mediaType: 'audio/mpeg', streams: made, frame }
      }
      const copy = demuxer !== 'gif' && isPlayable(streams)
      const old = !copy && (await isOld(dir))
      await make(
        demuxer === 'gif'
          ? gifvArguments(demuxer, await lastPacketEnd(dir, demuxer, video.frames, duration), old)
          : videoArguments(demuxer, copy, video, lastFrameEnd, old),
      )
      const made = await probe(dir, probeMadeArguments('out', 'mov'))
      const type = demuxer === 'gif' || made.audio === null ? 'gifv' : 'video'
      return { type, mediaType: 'video/mp4', streams: made, frame: first }
    },
    close: () => children.close(),
  }
}
