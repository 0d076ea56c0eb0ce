/** The notifications service, ready to run: notifications, markers, push subscriptions and outgoing mail. */
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
