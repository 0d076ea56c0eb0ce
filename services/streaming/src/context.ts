/** What streaming code is given: the kernel's base and the store of who is present. */
import { openRedis, type Redis } from '@murmuration/cache'
import type { BaseContext } from '@murmuration/kernel'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  /** Who has a connection, for fan-out. */
  readonly redis: Redis
}

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const redis = await openRedis({
    url: base.common.redisUrl,
    name: 'murmuration-streaming',
    onTrouble: (error) => base.log.warn({ error }, 'Redis has trouble'),
  })
  base.onClose('redis', () => redis.close())
  return { ...base, config: readServiceConfig(base.env), redis }
}
