/** Context of media code: the kernel's base, the file store, work directories, and the decoding programs. */

import { createBlobStore } from '@murmuration/blob'
import { createSingleFlight, keyspace, type SingleFlight } from '@murmuration/cache'
import { userAgentOf } from '@murmuration/contracts/kit'
import { emojiInvalidation } from '@murmuration/contracts/media'
import { createLimiter, type Limiter } from '@murmuration/flow'
import { type BaseContext, blobOptionsOf, derive, logRefusals } from '@murmuration/kernel'
import type { calls } from './calls.js'
import { type Config, childEnvironment, readServiceConfig } from './config.js'
import type { Addresses } from './core/attachment/json.js'
import { createKnownEmojis, type KnownEmojis } from './core/emoji/known.store.js'
import { copyKey, createFiles, type Files } from './core/file/files.js'
import { createWorkDirectories, type WorkDirectories } from './core/file/work-directory.js'
import { createDecoders, type Decoders } from './core/process/decoders.js'
import { longestCopyMs } from './core/remote-file/retry.rules.js'
import { createFfmpeg, type Ffmpeg } from './core/video/ffmpeg.js'
import { createDownloads, type Downloads } from './remote-file/download.client.js'
import { createHosts, type Hosts } from './remote-file/hosts.js'
import { mayCopy } from './remote-file/media-policy.rules.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  readonly files: Files
  readonly addresses: Addresses
  readonly workDirectories: WorkDirectories
  readonly decoders: Decoders
  readonly ffmpeg: Ffmpeg
  readonly downloads: Downloads
  /**
   * Limits of concurrent work on remote files, so that local uploads do not wait for that work. `filmSlots` limits
   * remote videos and sounds that are fetched or processed, or wait for that.
   */
  readonly foreign: { readonly pictures: Limiter; readonly films: Limiter; readonly filmSlots: Limiter }
  /** Limits of requests to remote hosts, and of worker slots per host. */
  readonly hosts: Hosts
  /** Ensures that one process of the cluster fetches a file at a time. */
  readonly flight: SingleFlight
  /** Custom emoji of this server that are not disabled, cached in memory. */
  readonly emojis: KnownEmojis
}

const MiB = 1_048_576
const IDLE_MS = 20_000
const FOREIGN_FILMS = 2
/** Maximum number of remote videos and sounds that are fetched or processed, or wait for that. */
const FILM_PLACES = 12

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const config = readServiceConfig(base.common, base.env)
  const env = childEnvironment(base.env)
  const files = createFiles(
    base.needs.grant('blob', () => createBlobStore(blobOptionsOf(config))),
    base.site.origin,
  )
  base.onClose('files', () => files.close())
  const workDirectories = createWorkDirectories(config.tempDir)
  base.onClose('workDirectories', () => workDirectories.close())
  await workDirectories.sweep()
  const decoders = createDecoders({
    count: config.decoders,
    timeoutMs: config.decodeSeconds * 1_000,
    idleMs: IDLE_MS,
    memoryBytes: config.decodeMegabytes * MiB,
    avif: config.avif,
    env,
  })
  base.onClose('decoders', () => decoders.close())
  const ffmpeg = createFfmpeg({
    enabled: config.ffmpeg === 'auto',
    ffmpeg: config.ffmpegPath,
    ffprobe: config.ffprobePath,
    timeoutMs: config.transcodeSeconds * 1_000,
    memoryBytes: config.transcodeMegabytes * MiB,
    env,
    now: () => base.clock.now(),
    onLook: logFfmpeg(base.log, config.ffmpeg === 'off'),
    onColorMapping: (able) => {
      if (able) base.log.info({}, 'colours of HDR videos are mapped: ffmpeg has zscale and tonemap')
      else base.log.warn({}, 'HDR videos are converted with wrong colours: ffmpeg has no zscale or no tonemap filter')
    },
  })
  base.onClose('ffmpeg', () => ffmpeg.close())
  await ffmpeg.available()
  const downloads = base.needs.grant('internet', () =>
    createDownloads({
      userAgent: userAgentOf(base.site.origin),
      mode: base.common.mode,
      onRefused: logRefusals(base),
      // A test network on loopback has no certificates, so plain http is allowed there.
      ...(config.allowAddresses.length && {
        allowPrivate: true,
        allowAddresses: [...config.allowAddresses],
        allowHttp: true,
      }),
      clock: base.clock,
    }),
  )
  base.onClose('downloads', () => downloads.close())
  const { redis } = base
  const prefix = keyspace('media')(base.site.webDomain)
  const hosts = createHosts({ redis, prefix, now: () => base.clock.now() })
  const flight = createSingleFlight(redis, prefix, { longestMs: longestCopyMs(config.transcodeSeconds * 1_000) })
  const foreign = {
    pictures: createLimiter({ concurrency: config.decoders }),
    films: createLimiter({ concurrency: FOREIGN_FILMS }),
    filmSlots: createLimiter({ concurrency: FILM_PLACES }),
  }
  const policyRules = { ...base, config }
  const addresses: Addresses = {
    stored: (key) => files.address(key),
    proxied: (token) => `${base.site.origin}/media_proxy/${token}`,
    copied: (token) => `${base.site.origin}/system/${copyKey(token)}`,
    mayCopy: (domain, url) => !base.policy.loaded() || mayCopy(policyRules, domain, new URL(url)),
    secret: derive(base.common, 'media:proxy'),
  }
  const emojis = createKnownEmojis(base)
  base.invalidations.subscribe(emojiInvalidation, emojis.invalidate)
  return {
    ...base,
    config,
    files,
    addresses,
    workDirectories,
    decoders,
    ffmpeg,
    downloads,
    foreign,
    hosts,
    flight,
    emojis,
  }
}

/** Logs at the start if video and audio cannot be processed, and later whenever that changes. */
export const logFfmpeg = (log: Pick<BaseContext['log'], 'info' | 'warn'>, off: boolean) => {
  let first = true
  return (found: boolean): void => {
    if (off) log.info({}, 'video and audio are off: MEDIA_FFMPEG is off')
    else if (!found) log.warn({}, 'video and audio are off: ffmpeg or ffprobe was not found')
    else if (!first) log.info({}, 'video and audio are on: ffmpeg was found')
    first = false
  }
}
