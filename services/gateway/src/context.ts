/** What gateway code is given: the kernel's base with calls that are read first, the limits store and the staging area. */
import { type BlobStore, createBlobStore } from '@murmuration/blob'
import { openRedis, type Redis } from '@murmuration/cache'
import { type BaseContext, blobOptionsOf } from '@murmuration/kernel'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'
import { parseInput } from './edge/input.js'
import type { Staging } from './edge/multipart.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  /** Limits; never evicts. */
  readonly redis: Redis
  readonly blobs: BlobStore
  readonly staging: Staging
}

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const config = readServiceConfig(base.env)
  const redis = await openRedis({
    url: base.common.redisUrl,
    name: 'murmuration-gateway',
    timeoutMs: config.redisTimeoutMs,
    onTrouble: (error) => base.log.warn({ error }, 'Redis has trouble'),
  })
  base.onClose('redis', () => redis.close())
  const blobs = createBlobStore(blobOptionsOf(config))
  base.onClose('blobs', () => blobs.close())
  // What pages ask with comes from addresses and forms; no service reads it again.
  const call: Context['call'] = (operation, input, options) =>
    base.call(operation, parseInput(operation, input) as typeof input, options)
  return { ...base, call, config, redis, blobs, staging: blobs }
}
