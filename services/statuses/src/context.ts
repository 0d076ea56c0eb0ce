/** What statuses code is given: the kernel's base and this service's own stores. */

import { openRedis, type Redis } from '@murmuration/cache'
import type { BaseContext } from '@murmuration/kernel'
import { type Config, readServiceConfig } from './config.js'
import type { calls } from './manifest.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
  /** State: never evicts; everything in it can be rebuilt. */
  readonly redis: Redis
}

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  const redis = await openRedis({
    url: base.common.redisUrl,
    name: 'murmuration-statuses',
    onTrouble: (error) => base.log.warn({ error }, 'Redis has trouble'),
  })
  base.onClose('redis', () => redis.close())
  return { ...base, config: readServiceConfig(), redis }
}
