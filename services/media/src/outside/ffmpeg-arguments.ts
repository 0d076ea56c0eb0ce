/** The command lines of ffmpeg and ffprobe: only what they need to read, nothing of the network, nothing unbounded (D055). */
import { limits } from '@murmuration/contracts/limits'

/** Decoders that may run; a flaw in any other one is none of ours (A158). */
const DECODERS = [
  'h264,hevc,vp8,vp9,av1,libdav1d,libvpx-vp9,mpeg4,h263,theora,mpeg1video,mpeg2video,gif,mjpeg,png',
  'aac,mp3,mp3float,opus,libopus,vorbis,flac,alac,wmav1,wmav2,amrnb,amrwb,adpcm_ms,adpcm_ima_wav',
  'pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s32le,pcm_f32le,pcm_mulaw,pcm_alaw',
].join(',')

/** How any file is opened: as the one format that it is, from the work bench. */
const reading = (demuxer: string): string[] => [
  ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxer, '-codec_whitelist', DECODERS],
  ...['-f', demuxer, '-i', 'file:in'],
]
const QUIET = ['-hide_banner', '-loglevel', 'error']
const START = [...QUIET, '-nostdin', '-n', '-threads', '2']
/** Nothing of what the camera wrote besides picture and sound. */
const PLAIN = ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn', '-fs', String(limits.media.videoBytes - 1)]
const LOOK = ['-of', 'json', '-show_entries']
const STREAM = 'stream=codec_type,codec_name,pix_fmt,width,height,avg_frame_rate,r_frame_rate'

export const probeArguments = (demuxer: string): string[] => [
  ...QUIET,
  ...LOOK,
  `${STREAM}:stream_disposition=attached_pic:format=duration,bit_rate`,
  ...reading(demuxer),
]

/** What was made is ours and has the usual form, so it is looked at the same way. */
export const probeMadeArguments = (name: string, demuxer: string): string[] => [
  ...QUIET,
  ...LOOK,
  `${STREAM}:stream_disposition=attached_pic:format=duration,bit_rate`,
  ...['-protocol_whitelist', 'file,pipe', '-f', demuxer, '-i', `file:${name}`],
]

const MP4 = ['-movflags', '+faststart', '-f', 'mp4', 'file:out']
/** Even sides, which the pixel format needs. */
const EVEN = 'scale=trunc(iw/2)*2:trunc(ih/2)*2'

/** A video as mp4; `copy` when its streams play everywhere already. */
export const videoArguments = (demuxer: string, copy: boolean): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', '0:V:0', '-map', '0:a:0?', ...PLAIN, '-frames:v', String(limits.media.videoFrames)],
  ...(copy
    ? ['-c', 'copy']
    : [
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
          EVEN,
          '-threads',
          '2',
        ],
        ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2'],
      ]),
  ...MP4,
]

/** A moving picture as a video without sound. */
export const gifvArguments = (demuxer: string): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', '0:V:0', '-an', ...PLAIN, '-frames:v', String(limits.media.videoFrames)],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p', '-vf', EVEN, '-threads', '2'],
  ...MP4,
]

/** A sound as mp3. */
export const audioArguments = (demuxer: string): string[] => [
  ...START,
  ...reading(demuxer),
  ...['-map', '0:a:0', '-vn', ...PLAIN, '-c:a', 'libmp3lame', '-q:a', '2', '-ac', '2', '-f', 'mp3', 'file:out'],
]

/** The first frame, or the picture of the record, as PNG. */
export const frameArguments = (demuxer: string, stream: 'V:0' | 'v:0'): string[] => [
  ...START,
  ...reading(demuxer),
  ...[
    '-map',
    `0:${stream}`,
    '-an',
    '-frames:v',
    '1',
    '-map_metadata',
    '-1',
    '-c:v',
    'png',
    '-f',
    'image2pipe',
    'file:frame',
  ],
]
