/** What accounts code is given: the kernel's base and this service's own stores. */
import type { BaseContext } from '@murmuration/kernel'
import { type Config, readServiceConfig } from './config.js'
import type { calls } from './manifest.js'

export type Context = BaseContext<(typeof calls)[number]> & {
  readonly config: Config
}

export const createContext = async (base: BaseContext<(typeof calls)[number]>): Promise<Context> => {
  return { ...base, config: readServiceConfig() }
}
