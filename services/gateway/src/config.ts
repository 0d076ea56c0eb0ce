/** Configuration of the gateway. */
import {
  address,
  blobSettings,
  bool,
  type ConfigOf,
  domains,
  int,
  oneOf,
  readConfig,
  type Settings,
  text,
} from '@murmuration/kernel'

export const settings = {
  redisTimeoutMs: int('REDIS_TIMEOUT_MS', {
    or: 100,
    min: 10,
    max: 10_000,
    about: 'Milliseconds until a Redis that does not answer counts as away; limits are then counted per process.',
  }),
  ...blobSettings,
  port: int('PORT', { or: 3000, max: 65_535, about: 'Port of the web server.' }),
  trustedProxies: int('TRUSTED_PROXIES', {
    or: 0,
    max: 16,
    about: 'Proxies in front whose X-Forwarded-For, -Proto and -Host are believed.',
  }),
  rateLimits: oneOf('RATE_LIMITS', ['on', 'off'], {
    or: 'on',
    about: 'off lifts every rate limit; for tests and closed networks.',
  }),
  streamingUrl: address('STREAMING_API_BASE_URL', {
    or: '',
    about: 'Where streaming answers when it is not on the web address, such as wss://streaming.example.',
  }),
  alternateDomains: domains('ALTERNATE_DOMAINS', {
    or: '',
    about: 'Further host names under which the server is reached, comma separated; requests for others are refused.',
  }),
  membersOnly: bool('DISALLOW_UNAUTHENTICATED_API_ACCESS', {
    or: false,
    about: 'The API answers nobody without a login, except for signing up and the description of the server.',
  }),
  limitedFederation: bool('LIMITED_FEDERATION_MODE', {
    or: false,
    about: 'Federate only with allowed domains; implies that the API refuses anonymous visitors.',
  }),
  externalOnly: bool('OMNIAUTH_ONLY', {
    or: false,
    about: 'People sign in with a provider only; there are no passwords and no sign-ups of our own.',
  }),
  oneClick: bool('ONE_CLICK_SSO_LOGIN', {
    or: false,
    about: 'With one provider, links to sign in lead straight to it.',
  }),
  oidcEnabled: bool('OIDC_ENABLED', { or: false, about: 'There is a button for the OpenID Connect provider.' }),
  oidcName: text('OIDC_DISPLAY_NAME', { or: 'OpenID Connect', about: 'What stands on its button.' }),
  oidc2Enabled: bool('OIDC_2_ENABLED', { or: false, about: 'There is a button for a second one.' }),
  oidc2Name: text('OIDC_2_DISPLAY_NAME', { or: 'OpenID Connect', about: 'What stands on the second button.' }),
  oidc3Enabled: bool('OIDC_3_ENABLED', { or: false, about: 'There is a button for a third one.' }),
  oidc3Name: text('OIDC_3_DISPLAY_NAME', { or: 'OpenID Connect', about: 'What stands on the third button.' }),
} satisfies Settings

export type Config = ConfigOf<typeof settings>

export const readServiceConfig = (env: NodeJS.ProcessEnv): Config => readConfig(settings, env)
