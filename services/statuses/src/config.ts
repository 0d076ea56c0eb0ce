/** What operators may set for statuses. */
import { limits } from '@murmuration/contracts/limits'
import { type ConfigOf, int, readConfig, type Settings } from '@murmuration/kernel'

export const settings = {
  feedLength: int('STATUSES_FEED_LENGTH', {
    or: limits.feeds.length,
    min: 40,
    max: 10_000,
    about: 'Entries kept of one home or list feed.',
  }),
  activeDays: int('USER_ACTIVE_DAYS', {
    or: 14,
    min: 2,
    max: 365,
    about: 'People who were away longer get no fan-out; their feed is made anew when they return.',
  }),
  resolveMs: int('STATUSES_RESOLVE_MS', {
    or: 3_000,
    min: 100,
    max: 8_000,
    about: 'Milliseconds that writing a status may wait for handles of people on other servers.',
  }),
} satisfies Settings

export type Config = ConfigOf<typeof settings>

export const readServiceConfig = (env: NodeJS.ProcessEnv): Config => readConfig(settings, env)
