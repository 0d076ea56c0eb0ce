/** What operators may set for notifications. */
import { type ConfigOf, readConfig, type Settings } from '@murmuration/kernel'

export const settings = {} satisfies Settings

export type Config = ConfigOf<typeof settings>

export const readServiceConfig = (env?: NodeJS.ProcessEnv): Config => readConfig(settings, env)
