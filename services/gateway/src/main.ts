/** Entry point of the gateway. */
import { type App, blobOptionsOf } from '@murmuration/kernel'
import { readServiceConfig } from './config.js'
import { createContext } from './context.js'
import { listen } from './listen.js'
import { manifest } from './manifest.js'

export const app: App = {
  manifest,
  checkSettings: (env, _common, needs) => {
    const config = readServiceConfig(env)
    if (needs.has('blob')) blobOptionsOf(config)
  },
  redisTimeoutMs: (env) => readServiceConfig(env).redisTimeoutMs,
  createContext: createContext as App['createContext'],
  listen,
}
