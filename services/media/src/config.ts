/** Settings of the service media. */
import { tmpdir } from 'node:os'
import {
  allowedAddressesOf,
  blobSettings,
  bool,
  type CommonConfig,
  type ConfigOf,
  checkWritable,
  folder,
  int,
  oneOf,
  outboundSettings,
  readConfig,
  type Settings,
  text,
} from '@murmuration/kernel'

export const settings = {
  ...blobSettings,
  tempDir: folder('MEDIA_TEMP_DIR', { or: tmpdir(), about: 'Directory for files that are being processed.' }),
  decoders: int('MEDIA_DECODERS', { or: 1, min: 1, max: 64, about: 'Pictures that one process decodes at once.' }),
  decodeSeconds: int('MEDIA_DECODE_SECONDS', { or: 10, min: 1, max: 60, about: 'Most seconds for one picture.' }),
  decodeMegabytes: int('MEDIA_DECODE_MEGABYTES', { or: 512, min: 128, about: 'Most memory for one picture.' }),
  avif: bool('MEDIA_AVIF', {
    or: false,
    about: 'Also accept AVIF pictures; they become JPEG, animated ones without motion.',
  }),
  ffmpeg: oneOf('MEDIA_FFMPEG', ['auto', 'off'], {
    or: 'auto',
    about:
      'auto: video and audio are processed if ffmpeg is on the machine (looked up every minute); off: they are refused.',
  }),
  ffmpegPath: text('FFMPEG_PATH', {
    or: 'ffmpeg',
    about:
      'The ffmpeg program, version 4.2 or later. Before 5.1, the last frame of an animation may be short. Without the filters zscale and tonemap, HDR videos get wrong colours.',
  }),
  ffprobePath: text('FFPROBE_PATH', { or: 'ffprobe', about: 'The ffprobe program.' }),
  transcodeSeconds: int('MEDIA_TRANSCODE_SECONDS', {
    or: 300,
    min: 1,
    max: 600,
    about: 'Most seconds for one video or sound.',
  }),
  transcodeMegabytes: int('MEDIA_TRANSCODE_MEGABYTES', {
    or: 3_072,
    min: 512,
    about: 'Most address space of one ffmpeg.',
  }),
  limitedFederation: bool('LIMITED_FEDERATION_MODE', {
    or: false,
    about: 'Only files of allowed servers are copied.',
  }),
  ...outboundSettings,
} satisfies Settings

export type Config = Omit<ConfigOf<typeof settings>, 'allowAddresses'> & { readonly allowAddresses: readonly string[] }

/** Reads the settings and checks the rules between them. Throws a ConfigError that names the variable. */
export const readServiceConfig = (common: Pick<CommonConfig, 'mode'>, env: NodeJS.ProcessEnv): Config => {
  const config = readConfig(settings, env)
  return Object.freeze({ ...config, allowAddresses: allowedAddressesOf(config, common.mode) })
}

/** Throws a ConfigError if the directory for files that are being processed cannot be written. */
export const checkTempDir = ({ tempDir }: Pick<Config, 'tempDir'>): void => checkWritable('MEDIA_TEMP_DIR', tempDir)

/** Environment of child processes. The environment contains only the search path of programs and limits of threads and memory. */
export const childEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PATH: env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  UV_THREADPOOL_SIZE: '2',
  MALLOC_ARENA_MAX: '2',
})
