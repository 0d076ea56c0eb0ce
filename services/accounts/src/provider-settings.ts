/** Logins at other providers (OpenID Connect), under the names that operators of this API's servers know. */
import { bool, type ConfigOf, oneOf, type Settings, secret, text } from '@murmuration/kernel'

/** Settings of the provider with this prefix: `OIDC`, or `OIDC_2` and `OIDC_3` for further ones. */
const settingsOf = (prefix: string) => ({
  enabled: bool(`${prefix}_ENABLED`, { or: false, about: 'People may sign in with this OpenID Connect provider.' }),
  name: text(`${prefix}_DISPLAY_NAME`, { or: 'OpenID Connect', about: 'Name of the provider on its button.' }),
  issuer: text(`${prefix}_ISSUER`, {
    or: '',
    about: 'Address of the provider; everything else is discovered from it.',
  }),
  clientId: text(`${prefix}_CLIENT_ID`, { or: '', about: 'Our name at the provider.' }),
  clientSecret: secret(`${prefix}_CLIENT_SECRET`, { or: '', about: 'Our secret at the provider.' }),
  clientAuth: oneOf(`${prefix}_CLIENT_AUTH_METHOD`, ['basic', 'post'], {
    or: 'basic',
    about: 'How the secret is sent to the provider.',
  }),
  redirectUri: text(`${prefix}_REDIRECT_URI`, {
    or: '',
    about: 'Address to come back to; that of the site under /auth/auth when empty.',
  }),
  scope: text(`${prefix}_SCOPE`, {
    or: 'openid,profile,email',
    about: 'What is asked of the provider, comma separated.',
  }),
  uidField: text(`${prefix}_UID_FIELD`, { or: 'sub', about: 'The claim that names a person for good.' }),
  prompt: oneOf(`${prefix}_PROMPT`, ['', 'none', 'login', 'consent', 'select_account'], {
    or: '',
    about: 'What the provider should ask people each time.',
  }),
  assumeVerified: bool(`${prefix}_SECURITY_ASSUME_EMAIL_IS_VERIFIED`, {
    or: false,
    about: 'E-mail addresses of this provider count as proved although it does not say so.',
  }),
  allowAddresses: text(`${prefix}_ALLOW_ADDRESSES`, {
    or: '',
    about: 'Private address blocks (CIDR, comma separated) in which the provider may stand.',
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
    about: 'People sign in with a provider only; there are no passwords and no sign-ups of our own.',
  }),
  ...prefixed('oidc', first),
  ...prefixed('oidc2', second),
  ...prefixed('oidc3', third),
} satisfies Settings

/** One provider as it is set up. */
export interface ProviderPlan extends ConfigOf<typeof first> {
  /** Stands in addresses: `openid_connect`, `openid_connect_2` …; identities are kept under it. */
  readonly id: string
}

/** The providers that are on, in their order; throws with one line for what is missing. */
export const providersOf = (config: ConfigOf<typeof providerSettings>): ProviderPlan[] =>
  [
    ['oidc', 'OIDC', 'openid_connect'],
    ['oidc2', 'OIDC_2', 'openid_connect_2'],
    ['oidc3', 'OIDC_3', 'openid_connect_3'],
  ].flatMap(([key = '', prefix = '', id = '']) => {
    const plan = {
      id,
      ...Object.fromEntries(Object.keys(first).map((name) => [name, config[`${key}_${name}` as keyof typeof config]])),
    } as unknown as ProviderPlan
    if (!plan.enabled) return []
    if (!URL.canParse(plan.issuer))
      throw new Error(`${prefix}_ISSUER is missing or no address: ${prefix}_ENABLED is set.`)
    if (!plan.clientId) throw new Error(`${prefix}_CLIENT_ID is missing: ${prefix}_ENABLED is set.`)
    return [plan]
  })
