/** Combines manifest, settings and context into the application of the accounts service. */
import { type App, blobOptionsOf } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = {
  manifest,
  checkSettings: (env, common, needs) => {
    const config = readServiceConfig(common, env)
    if (needs.has('blob')) blobOptionsOf(config)
  },
  createContext,
}
