/** Arguments of ffmpeg and ffprobe: only the needed formats and decoders, no network, and limited output (D055). */
import { limits } from '@murmuration/contracts/limits'
import type { Used, Video } from './streams.rules.js'

/** Decoders that may run. Flaws in other decoders cannot be exploited (A158). */
export const DECODERS = [
  'h264,hevc,vp8,vp9,av1,libdav1d,libvpx-vp9,mpeg4,h263,theora,mpeg1video,mpeg2video,gif,mjpeg,png',
  'aac,mp3,mp3float,opus,libopus,vorbis,flac,alac,wmav1,wmav2,amrnb,amrwb,adpcm_ms,adpcm_ima_wav',
  'pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_mulaw,pcm_alaw',
].join(',')

/** Input arguments: the file `in` of the work directory, and the only format as which ffmpeg may read it. */
const reading = (demuxer: string): string[] => [
  ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxer, '-codec_whitelist', DECODERS],
  ...['-f', demuxer, '-i', 'file:in'],
]
const QUIET = ['-hide_banner', '-loglevel', 'error']
const START = [...QUIET, '-nostdin', '-n', '-threads', '2']
/**
 * Removes all metadata, chapters, subtitles and data streams. Stops the output at the size limit. A file that reaches
 * the limit is refused later.
 */
const PLAIN = ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn', '-fs', String(limits.media.convertedBytes)]
const LOOK = ['-of', 'json', '-show_entries']
const STREAM = [
  'stream=codec_type,codec_name,pix_fmt,width,height,avg_frame_rate,r_frame_rate,time_base,sample_aspect_ratio',
  'color_transfer,color_range,nb_frames,duration:stream_side_data=rotation',
].join(',')

export const probeArguments = (demuxer: string): string[] => [
  ...QUIET,
  ...LOOK,
  `${STREAM}:stream_disposition=attached_pic:format=duration,bit_rate`,
  ...reading(demuxer),
]

/** Arguments that probe a file which ffmpeg has created. */
export const probeMadeArguments = (name: string, demuxer: string): string[] => [
  ...QUIET,
  ...LOOK,
  `${STREAM}:stream_disposition=attached_pic:format=duration,bit_rate`,
  ...['-protocol_whitelist', 'file,pipe', '-f', demuxer, '-i', `file:${name}`],
]

const PACKETS = ['-c', 'copy', '-frames:a', '1', '-f', 'framecrc', 'pipe:1']

/** Arguments that print the codecs of all video streams except covers, then of all audio streams, without decoding them. */
export const listArguments = (demuxer: string): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', '0:V?', '-map', '0:a?', '-frames:v', '1', ...PACKETS],
]

const FIRST: Used = { video: 0, sound: 0 }
const mapsOf = ({ video, sound }: Used): string[] => ['-map', `0:V:${video}?`, '-map', `0:a:${sound}?`]

/**
 * Arguments that print size, codec and packet times of the video stream, and the codec of the audio stream, without
 * decoding them. Limits keep the output small.
 */
export const measureArguments = (demuxer: string, used = FIRST): string[] => [
  ...START,
  ...reading(demuxer),
  ...[...mapsOf(used), '-frames:v', '6000', ...PACKETS],
]

/**
 * Arguments that print the last two packets of a video of `frames` frames, without decoding them; all packets if
 * `frames` is 0. The demuxer counts an incomplete last frame, but returns no packet of it. The demuxer states the
 * duration also of frames for which the file has none.
 */
export const lastPacketArguments = (demuxer: string, frames: number): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', '0:V:0', '-c', 'copy', '-bsf:v', `noise=amount=0:drop=lt(n\\,${frames - 2})`, '-f', 'framecrc', 'pipe:1'],
]

/** Names of the muxers that write the streams of a demuxer without encoding, where muxer and demuxer have different names. */
const MUXERS: Partial<Record<string, string>> = { aac: 'adts' }

/** Arguments that copy only the used streams. The copy is the file `used`, in the same format. */
export const reduceArguments = (demuxer: string, used = FIRST): string[] => [
  ...START,
  ...reading(demuxer),
  ...[...mapsOf(used), ...PLAIN, '-c', 'copy', '-f', MUXERS[demuxer] ?? demuxer, 'file:used'],
]

const MP4 = ['-movflags', '+faststart', '-f', 'mp4', 'file:out']
/** Longest side of a video in pixels. The encoder supports no longer side. */
const MAX_SIDE = 16_382
/** Scales to even sides of at least two pixels, which the pixel format requires. `wide`: expression for the displayed width. */
const scaledFrom = (wide: string): string => {
  const ratio = `min(1\\,${MAX_SIDE}/max(${wide}\\,ih))`
  return `scale=max(2\\,trunc(${wide}*${ratio}/2+0.001)*2):max(2\\,trunc(ih*${ratio}/2+0.001)*2)`
}
const EVEN = scaledFrom('iw')
/** Scales to square pixels and even sides. `sar` is the aspect ratio of a pixel; 1 replaces an extreme one. */
const SQUARE = `${scaledFrom('iw*if(between(sar\\,0.25\\,4)\\,sar\\,1)')},setsar=1`

/** Arguments that print the filters of ffmpeg, one per line. */
export const filterListArguments = (): string[] => [...QUIET, '-filters']

/** Names of the filters that map colours of high dynamic range. An ffmpeg without libzimg has no `zscale`. */
const MAPPING = [/^ *\S+ +zscale /m, /^ *\S+ +tonemap /m]
/** Whether a printed list of filters contains all filters that map colours of high dynamic range. */
export const hasColorMapping = (list: string): boolean => MAPPING.every((filter) => filter.test(list))

/** Luminance of reference white in cd/m², from ITU-R BT.2408. */
const REFERENCE_WHITE = 203
/**
 * Luminance in cd/m² that becomes the brightest white: the nominal peak of HLG, and the highest value of PQ. With a lower
 * peak, brighter parts of a PQ video would lose their details.
 */
const PEAK = { hlg: 1_000, pq: 10_000 } as const

/**
 * Filters of a video: square pixels, and colours of high dynamic range mapped to BT.709. Mobius keeps dark and middle tones, maps
 * reference white to 85 % of full brightness (84 % for PQ), and compresses the luminances between reference white and the
 * peak. In a PQ video, 1,000 cd/m² become 96 % of full brightness.
 */
const filtersFor = ({ hdr, fullRange }: Pick<Video, 'hdr' | 'fullRange'>): string => {
  if (hdr === null) return SQUARE
  const range = fullRange ? 'full' : 'limited'
  const transfer = hdr === 'pq' ? 'smpte2084' : 'arib-std-b67'
  // zscale needs colour space and primaries, which some files do not state.
  const tagged = `setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=${transfer}`
  const linear = `zscale=rin=${range}:t=linear:npl=${REFERENCE_WHITE},format=gbrpf32le,zscale=p=709`
  const mapped = `tonemap=mobius:peak=${(PEAK[hdr] / REFERENCE_WHITE).toFixed(3)}:desat=0`
  return `${SQUARE},${tagged},${linear},${mapped},zscale=t=709:m=709:r=limited,format=yuv420p`
}

/** Time base of animations: GIF delays are hundredths of a second. */
const GIF_TICKS = 100
/** Time base of videos: the usual frame rates have whole numbers of ticks per frame, also 24000/1001. */
const VIDEO_TICKS = 120_000
const PLAIN_VIDEO = { hdr: null, fullRange: false } as const

/** Arguments that print the options of ffmpeg, one per line. */
export const optionListArguments = (): string[] => [...QUIET, '-h', 'long']

/** Whether a printed list of options lacks `-fps_mode`, which ffmpeg has since version 5.1. An empty list says nothing. */
export const isBeforeFpsMode = (list: string): boolean => list !== '' && !/^ *-fps_mode\b/m.test(list)

/** Encodes each frame once, with its own time. A constant frame rate would drop and repeat frames of uneven videos. */
const timed = (ticks: number, old: boolean): string[] => [
  ...[old ? '-vsync' : '-fps_mode', 'vfr'],
  ...['-enc_time_base', `1:${ticks}`],
]

/**
 * Sets the duration of the last frame, which the encoder does not know, so that it is shown until `end` (in seconds). No frame may
 * depend on a later one, because the last packet must contain the last frame. A video that is cut off at the limit of frames ends
 * with its last frame. `old`: ffmpeg may lack the bitstream filter, so the end is not set.
 */
const lastUntil = (end: number, old: boolean): string[] => {
  if (end <= 0 || old) return []
  const isLast = `eq(NEXT_PTS\\,NOPTS)*lt(N\\,${limits.media.videoFrames - 1})`
  const rest = `clip(round(${end}/TB)-PTS\\,max(1\\,DURATION)\\,${2 ** 31 - 1})`
  return ['-bf', '0', '-bsf:v', `setts=duration=if(${isLast}\\,${rest}\\,DURATION)`]
}

/**
 * Arguments that create an mp4 from a video. `copy`: the streams are copied without encoding, and in full length. `end`: end of the
 * last frame in seconds, or 0 if it is unknown. `old`: ffmpeg is older than 5.1.
 */
export const videoArguments = (
  demuxer: string,
  copy: boolean,
  video: Pick<Video, 'hdr' | 'fullRange'> = PLAIN_VIDEO,
  end = 0,
  old = false,
): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', '0:V:0', '-map', '0:a:0?', ...PLAIN],
  ...(copy
    ? ['-c', 'copy']
    : [
        ...['-frames:v', String(limits.media.videoFrames)],
        ...[
          '-c:v',
          'libx264',
          '-preset',
          'veryfast',
          '-crf',
          '23',
          '-pix_fmt',
          'yuv420p',
          '-vf',
          filtersFor(video),
          '-threads',
          '2',
        ],
        ...timed(VIDEO_TICKS, old),
        ...lastUntil(end, old),
        ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2'],
      ]),
  ...MP4,
]

/**
 * Arguments that create a silent video from an animation. Each frame has the duration it has in the animation. `end`: end of the
 * last frame in seconds, or 0 if it is unknown. `old`: ffmpeg is older than 5.1.
 */
export const gifvArguments = (demuxer: string, end: number, old = false): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', '0:V:0', '-an', ...PLAIN, '-frames:v', String(limits.media.videoFrames)],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p', '-threads', '2'],
  ...[...timed(GIF_TICKS, old), '-vf', `${EVEN},settb=1/${GIF_TICKS}`],
  ...lastUntil(end, old),
  ...['-video_track_timescale', String(GIF_TICKS)],
  ...MP4,
]

/** Arguments that create an mp3 from a sound. */
export const audioArguments = (demuxer: string): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', '0:a:0', '-vn', ...PLAIN, '-c:a', 'libmp3lame', '-q:a', '2', '-ac', '2', '-f', 'mp3', 'file:out'],
]

/** Arguments that extract the first frame of a video (`V:0`), or the cover inside a sound (`v:0`), as PNG. */
export const frameArguments = (
  demuxer: string,
  stream: 'V:0' | 'v:0',
  video: Pick<Video, 'hdr' | 'fullRange'> = PLAIN_VIDEO,
): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', `0:${stream}`, '-an', '-frames:v', '1', '-map_metadata', '-1'],
  ...(stream === 'V:0' ? ['-vf', filtersFor(video)] : []),
  ...['-c:v', 'png', '-f', 'image2pipe', 'file:frame'],
]
