/** The admin service, ready to run: settings, rules, reports, blocks and the audit log. */
import type { App } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = { manifest, checkSettings: (env, common) => readServiceConfig(common, env), createContext }
