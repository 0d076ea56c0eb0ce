/** Settings of the statuses service for operators. */
import { limits } from '@murmuration/contracts/limits'
import {
  address,
  allowedAddressesOf,
  blocks,
  bool,
  type CommonConfig,
  type ConfigOf,
  entriesOf,
  int,
  oneOf,
  outboundSettings,
  readConfig,
  type Settings,
  secret,
} from '@murmuration/kernel'

export const settings = {
  feedLength: int('STATUSES_FEED_LENGTH', {
    or: limits.feeds.length,
    min: 40,
    max: 10_000,
    about: 'Maximum number of entries of a home or list feed.',
  }),
  activeDays: int('USER_ACTIVE_DAYS', {
    or: 14,
    min: 2,
    max: 365,
    about:
      'Days without a visit after which the feeds of an account are no longer filled. They are rebuilt at its next visit.',
  }),
  resolveMs: int('STATUSES_RESOLVE_MS', {
    or: 3_000,
    min: 100,
    max: 8_000,
    about: 'Milliseconds that posting a status may wait for lookups of mentioned accounts on other servers.',
  }),
  limitedFederation: bool('LIMITED_FEDERATION_MODE', {
    or: false,
    about:
      'Federate only with allowed domains. Statuses of suspended accounts are kept if their domain was never allowed.',
  }),
  trendLinkAccounts: int('TREND_LINK_ACCOUNTS', {
    or: 15,
    min: 2,
    max: 100_000,
    about: 'Minimum number of accounts that share a link on one day before it can trend.',
  }),
  libreTranslateEndpoint: address('LIBRE_TRANSLATE_ENDPOINT', {
    or: '',
    about: 'Address of a LibreTranslate server that translates statuses.',
  }),
  libreTranslateKey: secret('LIBRE_TRANSLATE_API_KEY', { or: '', about: 'Key for the LibreTranslate server.' }),
  deeplKey: secret('DEEPL_API_KEY', { or: '', about: 'Key for DeepL, which then translates statuses.' }),
  deeplPlan: oneOf('DEEPL_PLAN', ['free', 'pro'], {
    or: 'free',
    about: 'Plan of the DeepL key, which selects the API address.',
  }),
  deeplEndpoint: address('DEEPL_ENDPOINT', { or: '', about: 'Address of another DeepL API, for tests.' }),
  translationAddresses: blocks('TRANSLATION_ALLOW_ADDRESSES', {
    or: '',
    about: 'Private address blocks (CIDR, comma separated) that may contain the LibreTranslate server.',
  }),
  ...outboundSettings,
} satisfies Settings

export type Config = Omit<ConfigOf<typeof settings>, 'allowAddresses' | 'translationAddresses'> & {
  readonly allowAddresses: readonly string[]
  readonly translationAddresses: readonly string[]
}

/** Reads the settings and checks the rules between them. Throws a `ConfigError` that names the variable. */
export const readServiceConfig = (common: Pick<CommonConfig, 'mode'>, env: NodeJS.ProcessEnv): Config => {
  const config = readConfig(settings, env)
  return Object.freeze({
    ...config,
    allowAddresses: allowedAddressesOf(config, common.mode),
    translationAddresses: entriesOf(config.translationAddresses),
  })
}
