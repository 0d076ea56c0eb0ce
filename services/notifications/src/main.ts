/** Combines manifest, settings and context into the application of the notifications service. */
import type { App } from '@murmuration/kernel'
import { checkMailFolder, readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { manifest } from './manifest.js'

export const app: App = {
  manifest,
  checkSettings: (env, common, needs) => {
    const config = readServiceConfig(common, env)
    if (needs.has('smtp')) checkMailFolder(common, config)
  },
  createContext,
}
