/** Settings of notifications. */
import {
  allowedAddressesOf,
  type CommonConfig,
  ConfigError,
  type ConfigOf,
  outboundSettings,
  prepareFolder,
  readConfig,
  type Settings,
  secret,
  text,
} from '@murmuration/kernel'
import { mailSettings } from './mail-settings.js'

export const settings = {
  ...mailSettings,
  vapidPublicKey: text('VAPID_PUBLIC_KEY', {
    or: '',
    about:
      'Public key for signatures of push messages: a P-256 point in base64url. Without it, no push messages are sent.',
  }),
  vapidPrivateKey: secret('VAPID_PRIVATE_KEY', { or: '', about: 'Private key of VAPID_PUBLIC_KEY, in base64url.' }),
  allowAddresses: outboundSettings.allowAddresses,
} satisfies Settings

export type Config = Omit<ConfigOf<typeof settings>, 'allowAddresses'> & { readonly allowAddresses: readonly string[] }

const bytes = (key: string): number => Buffer.from(key, 'base64url').length

/** Reads and validates the settings of the service. Throws a ConfigError that names the environment variable. */
export const readServiceConfig = (common: Pick<CommonConfig, 'mode'>, env: NodeJS.ProcessEnv): Config => {
  const config = readConfig(settings, env)
  if ((config.vapidPublicKey === '') !== (config.vapidPrivateKey === ''))
    throw new ConfigError('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together: set both or none.')
  if (config.vapidPublicKey && bytes(config.vapidPublicKey) !== 65)
    throw new ConfigError('VAPID_PUBLIC_KEY is not an uncompressed P-256 point of 65 bytes in base64url.')
  if (config.vapidPrivateKey && bytes(config.vapidPrivateKey) !== 32)
    throw new ConfigError('VAPID_PRIVATE_KEY is not a P-256 key of 32 bytes in base64url.')
  return Object.freeze({ ...config, allowAddresses: allowedAddressesOf(config, common.mode) })
}

/**
 * Throws a ConfigError if e-mails are written to files, and MAIL_DIR cannot be written. The folder is private, because
 * the e-mails in it contain links for confirmation and password reset.
 */
export const checkMailFolder = ({ mode }: Pick<CommonConfig, 'mode'>, { smtpServer, mailDir }: Config): void => {
  if (smtpServer === '' && mode !== 'production') prepareFolder('MAIL_DIR', mailDir, 0o700)
}
