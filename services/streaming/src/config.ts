/** Settings of streaming. */
import { type ConfigOf, int, readConfig, type Settings } from '@murmuration/kernel'

export const settings = {
  /** If the port equals the gateway's port, one HTTP server serves both. */
  port: int('STREAMING_PORT', {
    or: 0,
    max: 65_535,
    about: 'Port of streaming; 0 shares the web server of the process.',
  }),
  webPort: int('PORT', { or: 3000, max: 65_535, about: 'Port of the web server.' }),
  trustedProxies: int('TRUSTED_PROXIES', {
    or: 0,
    max: 16,
    about: 'Addresses of proxies whose X-Forwarded-For is trusted.',
  }),
  maxBuffered: int('STREAMING_MAX_BUFFERED', {
    or: 1_048_576,
    min: 65_536,
    about: 'Bytes that may wait for one slow client before it is disconnected.',
  }),
  pingSeconds: int('STREAMING_PING_SECONDS', {
    or: 30,
    min: 1,
    max: 300,
    about: 'Time between two pings of a connection. A connection without a pong in between is closed.',
  }),
  maxPerAccount: int('STREAMING_MAX_PER_ACCOUNT', {
    or: 50,
    min: 1,
    about: 'Maximum number of open connections of one account in one process.',
  }),
} satisfies Settings

export type Config = ConfigOf<typeof settings>

export const readServiceConfig = (env: NodeJS.ProcessEnv): Config => readConfig(settings, env)
