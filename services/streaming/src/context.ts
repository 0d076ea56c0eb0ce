/** The context of streaming: the context of the kernel, and the settings of streaming. */
import type { BaseContext } from '@murmuration/kernel'
import type { calls } from './calls.js'
import { type Config, readServiceConfig } from './config.js'

export type Context = BaseContext<(typeof calls)[number]> & { readonly config: Config }

export const createContext = (base: BaseContext<(typeof calls)[number]>): Context => ({
  ...base,
  config: readServiceConfig(base.env),
})
