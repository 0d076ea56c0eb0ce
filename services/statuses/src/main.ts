/** The statuses service, ready to run: statuses, what people do with them, and the feeds they are read in. */
import type { App } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = { manifest, checkSettings: (env, common) => readServiceConfig(common, env), createContext }
