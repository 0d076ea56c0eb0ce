/** Settings of the service accounts. */
import {
  allowedAddressesOf,
  blobSettings,
  type CommonConfig,
  type ConfigOf,
  oneOf,
  outboundSettings,
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
  ...outboundSettings,
  ...blobSettings,
  ...joiningSettings,
  ...providerSettings,
} satisfies Settings

export type Config = Omit<ConfigOf<typeof settings>, 'allowAddresses'> & { readonly allowAddresses: readonly string[] }

export const readServiceConfig = ({ mode }: Pick<CommonConfig, 'mode'>, env: NodeJS.ProcessEnv): Config => {
  const config = readConfig(settings, env)
  return { ...config, allowAddresses: allowedAddressesOf(config, mode) }
}
