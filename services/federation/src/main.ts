/** Starts the federation service. */
import type { App } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = { manifest, checkSettings: (env, { mode }) => readServiceConfig(mode, env), createContext }
