/** The streaming service, ready to run. */
import type { App } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { listen } from './listen.js'
import { manifest } from './manifest.js'

export const app: App = {
  manifest,
  checkSettings: (env) => readServiceConfig(env),
  createContext: createContext as App['createContext'],
  listen,
}
