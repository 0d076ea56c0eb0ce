/**
 * Settings of external identity providers (OpenID Connect). Settings that also exist in Mastodon have the same names.
 */
import { bool, type ConfigOf, oneOf, type Settings, secret, text } from '@murmuration/kernel'

/** Settings of the provider with this prefix: `OIDC`, or `OIDC_2` and `OIDC_3` for further ones. */
const settingsOf = (prefix: string) => ({
  enabled: bool(`${prefix}_ENABLED`, {
    or: false,
    about: 'Whether users can sign in with this OpenID Connect provider.',
  }),
  name: text(`${prefix}_DISPLAY_NAME`, { or: 'OpenID Connect', about: 'Name of the provider on its button.' }),
  issuer: text(`${prefix}_ISSUER`, {
    or: '',
    about: 'Issuer URL of the provider; its endpoints are discovered from it.',
  }),
  clientId: text(`${prefix}_CLIENT_ID`, { or: '', about: 'Client id of this server at the provider.' }),
  clientSecret: secret(`${prefix}_CLIENT_SECRET`, { or: '', about: 'Client secret of this server at the provider.' }),
  clientAuth: oneOf(`${prefix}_CLIENT_AUTH_METHOD`, ['basic', 'post'], {
    or: 'basic',
    about: 'How the secret is sent to the provider.',
  }),
  redirectUri: text(`${prefix}_REDIRECT_URI`, {
    or: '',
    about: 'Redirect URI for the provider; if empty, the one below /auth/auth of this server.',
  }),
  scope: text(`${prefix}_SCOPE`, {
    or: 'openid,profile,email',
    about: 'Scopes that are requested, separated by commas.',
  }),
  uidField: text(`${prefix}_UID_FIELD`, { or: 'sub', about: 'The claim that identifies a user permanently.' }),
  prompt: oneOf(`${prefix}_PROMPT`, ['', 'none', 'login', 'consent', 'select_account'], {
    or: '',
    about: 'Value of the OpenID Connect parameter prompt.',
  }),
  assumeVerified: bool(`${prefix}_SECURITY_ASSUME_EMAIL_IS_VERIFIED`, {
    or: false,
    about: 'Whether e-mail addresses of this provider count as verified without its confirmation.',
  }),
  allowAddresses: text(`${prefix}_ALLOW_ADDRESSES`, {
    or: '',
    about: 'Private address ranges (CIDR, separated by commas) in which the provider may be.',
  }),
})

const first = settingsOf('OIDC')
const second = settingsOf('OIDC_2')
const third = settingsOf('OIDC_3')

const prefixed = <P extends string, S extends Settings>(prefix: P, settings: S) =>
  Object.fromEntries(Object.entries(settings).map(([key, one]) => [`${prefix}_${key}`, one])) as {
    [K in keyof S & string as `${P}_${K}`]: S[K]
  }

export const providerSettings = {
  externalOnly: bool('OMNIAUTH_ONLY', {
    or: false,
    about: 'Whether users sign in only with a provider; passwords and sign-ups are off.',
  }),
  ...prefixed('oidc', first),
  ...prefixed('oidc2', second),
  ...prefixed('oidc3', third),
} satisfies Settings

/** Settings of one enabled provider. */
export interface ProviderPlan extends ConfigOf<typeof first> {
  /** Part of the callback URL and of stored identities: `openid_connect`, `openid_connect_2` … */
  readonly id: string
  /** Prefix of the settings: `OIDC`, `OIDC_2` … */
  readonly prefix: string
}

/** The enabled providers in their order. Throws an error that names a missing setting. */
export const providersOf = (config: ConfigOf<typeof providerSettings>): ProviderPlan[] =>
  [
    ['oidc', 'OIDC', 'openid_connect'],
    ['oidc2', 'OIDC_2', 'openid_connect_2'],
    ['oidc3', 'OIDC_3', 'openid_connect_3'],
  ].flatMap(([key = '', prefix = '', id = '']) => {
    const plan = {
      id,
      prefix,
      ...Object.fromEntries(Object.keys(first).map((name) => [name, config[`${key}_${name}` as keyof typeof config]])),
    } as unknown as ProviderPlan
    if (!plan.enabled) return []
    if (!URL.canParse(plan.issuer))
      throw new Error(`${prefix}_ISSUER is missing or no address: ${prefix}_ENABLED is set.`)
    if (!plan.clientId) throw new Error(`${prefix}_CLIENT_ID is missing: ${prefix}_ENABLED is set.`)
    return [plan]
  })
