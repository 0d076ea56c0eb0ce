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
  limitedFederation: bool('LIMITED_FEDERATION_MODE', {
    or: false,
    about: 'What people of servers that were never on the allow list wrote is kept while it is hidden.',
  }),
  trendLinkAccounts: int('TREND_LINK_ACCOUNTS', {
    or: 15,
    min: 2,
    max: 100_000,
    about: 'Accounts that must share a link on one day before it can trend.',
  }),
  libreTranslateEndpoint: address('LIBRE_TRANSLATE_ENDPOINT', {
    or: '',
    about: 'Address of a LibreTranslate server that translates statuses.',
  }),
  libreTranslateKey: secret('LIBRE_TRANSLATE_API_KEY', { or: '', about: 'Key for the LibreTranslate server.' }),
  deeplKey: secret('DEEPL_API_KEY', { or: '', about: 'Key for DeepL, which then translates statuses.' }),
  deeplPlan: oneOf('DEEPL_PLAN', ['free', 'pro'], { or: 'free', about: 'Which interface of DeepL the key is for.' }),
  deeplEndpoint: address('DEEPL_ENDPOINT', { or: '', about: 'Another address of DeepL’s interface, for tests.' }),
  translationAddresses: blocks('TRANSLATION_ALLOW_ADDRESSES', {
    or: '',
    about: 'Private address blocks (CIDR, comma separated) in which the LibreTranslate server stands.',
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
