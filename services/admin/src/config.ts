/** What operators may set for admin. */
import { address, bool, type ConfigOf, readConfig, type Settings, text } from '@murmuration/kernel'

export const settings = {
  vapidPublicKey: text('VAPID_PUBLIC_KEY', {
    or: '',
    about: 'Public key of web push, told to applications in the instance document.',
  }),
  streamingUrl: address('STREAMING_API_BASE_URL', {
    or: '',
    about: 'Address of streaming, ws:// or wss://, when it is not that of the site.',
  }),
  limitedFederation: bool('LIMITED_FEDERATION_MODE', {
    or: false,
    about: 'Talk only to servers that are allowed.',
  }),
} satisfies Settings

export type Config = ConfigOf<typeof settings>

export const readServiceConfig = (env: NodeJS.ProcessEnv): Config => readConfig(settings, env)
