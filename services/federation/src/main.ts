/** The federation service, ready to run: other servers: what comes in, what goes out, and the documents they read. */
import type { App } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = { manifest, checkSettings: (env, { mode }) => readServiceConfig(mode, env), createContext }
