/** Settings of the service accounts. */
import {
  blobSettings,
  type ConfigOf,
  oneOf,
  ownAddressSettings,
  readConfig,
  type Settings,
  text,
} from '@murmuration/kernel'
import { joiningSettings } from './joining-settings.js'
import { providerSettings } from './provider-settings.js'

export const settings = {
  passwordGrant: oneOf('OAUTH_PASSWORD_GRANT', ['auto', 'true', 'false'], {
    or: 'auto',
    about: 'Whether applications may send passwords for tokens; auto is false in production.',
  }),
  vapidPublicKey: text('VAPID_PUBLIC_KEY', {
    or: '',
    about: 'Public key of web push, sent to applications when they register.',
  }),
  ...ownAddressSettings,
  ...blobSettings,
  ...joiningSettings,
  ...providerSettings,
} satisfies Settings

export type Config = ConfigOf<typeof settings>

export const readServiceConfig = (env: NodeJS.ProcessEnv): Config => readConfig(settings, env)
