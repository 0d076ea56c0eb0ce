/** The accounts service, ready to run: people, their credentials, and how they stand to each other. */
import type { App } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = { manifest, checkSettings: (env) => readServiceConfig(env), createContext }
