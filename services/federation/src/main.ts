/** Starts the federation service. */
import { type App, blobOptionsOf } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = {
  manifest,
  checkSettings: (env, { mode }, needs) => {
    const config = readServiceConfig(mode, env)
    if (needs.has('blob')) blobOptionsOf(config)
  },
  createContext,
}
