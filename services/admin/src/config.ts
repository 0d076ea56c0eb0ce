/** Configuration of the admin service. */
import {
  address,
  allowedAddressesOf,
  bool,
  type CommonConfig,
  type ConfigOf,
  outboundSettings,
  readConfig,
  registrationSettings,
  type Settings,
  text,
} from '@murmuration/kernel'

export const settings = {
  vapidPublicKey: text('VAPID_PUBLIC_KEY', {
    or: '',
    about: 'Public key of web push, published in the instance document.',
  }),
  streamingUrl: address('STREAMING_API_BASE_URL', {
    or: '',
    about: 'URL of streaming (ws:// or wss://), if it differs from that of the site.',
  }),
  limitedFederation: bool('LIMITED_FEDERATION_MODE', {
    or: false,
    about: 'Federate only with allowed servers (limited federation mode).',
  }),
  allowAddresses: outboundSettings.allowAddresses,
  ...registrationSettings,
} satisfies Settings

export type Config = Omit<ConfigOf<typeof settings>, 'allowAddresses'> & { readonly allowAddresses: readonly string[] }

/** Reads and validates the settings. Throws a ConfigError with the name of the variable. */
export const readServiceConfig = (common: Pick<CommonConfig, 'mode'>, env: NodeJS.ProcessEnv): Config => {
  const config = readConfig(settings, env)
  return Object.freeze({ ...config, allowAddresses: allowedAddressesOf(config, common.mode) })
}
