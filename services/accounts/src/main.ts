/** The application of accounts: its manifest, its settings and its context. */
import type { App } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = { manifest, checkSettings: (env) => readServiceConfig(env), createContext }
