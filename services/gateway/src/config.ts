/** Configuration of the gateway. */
import {
  address,
  blobSettings,
  bool,
  type ConfigOf,
  int,
  oneOf,
  readConfig,
  registrationSettings,
  type Settings,
  text,
} from '@murmuration/kernel'

export const settings = {
  redisTimeoutMs: int('REDIS_TIMEOUT_MS', {
    or: 100,
    min: 10,
    max: 10_000,
    about: 'Milliseconds after which a request to Redis fails; rate limits are then counted per process.',
  }),
  ...blobSettings,
  port: int('PORT', { or: 3000, max: 65_535, about: 'Port of the web server.' }),
  trustedProxies: int('TRUSTED_PROXIES', {
    or: 0,
    max: 16,
    about: 'Number of reverse proxies in front whose X-Forwarded-For, -Proto and -Host headers are trusted.',
  }),
  rateLimits: oneOf('RATE_LIMITS', ['on', 'off'], {
    or: 'on',
    about: 'off disables every rate limit; for tests and closed networks.',
  }),
  streamingUrl: address('STREAMING_API_BASE_URL', {
    or: '',
    about: 'Base URL of streaming if it is not on the web domain, such as wss://streaming.example.',
  }),
  membersOnly: bool('DISALLOW_UNAUTHENTICATED_API_ACCESS', {
    or: false,
    about: 'Anonymous API requests are refused, except for sign-up and the description of the server.',
  }),
  limitedFederation: bool('LIMITED_FEDERATION_MODE', {
    or: false,
    about: 'Federate only with allowed domains; also refuses anonymous API requests.',
  }),
  ...registrationSettings,
  externalOnly: bool('OMNIAUTH_ONLY', {
    or: false,
    about: 'Users sign in through an identity provider only; passwords and sign-up are disabled.',
  }),
  oneClick: bool('ONE_CLICK_SSO_LOGIN', {
    or: false,
    about: 'If there is one provider, sign-in links redirect to it directly.',
  }),
  oidcEnabled: bool('OIDC_ENABLED', { or: false, about: 'Shows the sign-in button of the OpenID Connect provider.' }),
  oidcName: text('OIDC_DISPLAY_NAME', { or: 'OpenID Connect', about: 'Label of its button.' }),
  oidc2Enabled: bool('OIDC_2_ENABLED', { or: false, about: 'Shows the sign-in button of a second provider.' }),
  oidc2Name: text('OIDC_2_DISPLAY_NAME', { or: 'OpenID Connect', about: 'Label of the second button.' }),
  oidc3Enabled: bool('OIDC_3_ENABLED', { or: false, about: 'Shows the sign-in button of a third provider.' }),
  oidc3Name: text('OIDC_3_DISPLAY_NAME', { or: 'OpenID Connect', about: 'Label of the third button.' }),
} satisfies Settings

export type Config = ConfigOf<typeof settings>

export const readServiceConfig = (env: NodeJS.ProcessEnv): Config => readConfig(settings, env)
