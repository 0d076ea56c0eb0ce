/** The application of media: its manifest, its settings and its context. */
import { type App, blobOptionsOf } from '@murmuration/kernel'
import { checkTempDir, readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = {
  manifest,
  checkSettings: (env, common, needs) => {
    const config = readServiceConfig(common, env)
    checkTempDir(config)
    if (needs.has('blob')) blobOptionsOf(config)
  },
  createContext,
}
