/** Enabled identity providers, and the target of sign-in links (S-176). */
import type { Config } from '../../config.js'

export interface Provider {
  /** Id of the identity provider, which URLs contain. */
  readonly id: string
  readonly name: string
}

export const providersOf = (config: Config): Provider[] =>
  [
    { on: config.oidcEnabled, id: 'openid_connect', name: config.oidcName },
    { on: config.oidc2Enabled, id: 'openid_connect_2', name: config.oidc2Name },
    { on: config.oidc3Enabled, id: 'openid_connect_3', name: config.oidc3Name },
  ].flatMap(({ on, id, name }) => (on ? [{ id, name }] : []))

/** The only identity provider, if it replaces the sign-in page (OMNIAUTH_ONLY or ONE_CLICK_SSO_LOGIN); else null. */
export const directProvider = (config: Config): Provider | null => {
  const [first, second] = providersOf(config)
  return first && !second && (config.externalOnly || config.oneClick) ? first : null
}

export const providerPath = ({ id }: Provider, next = '/'): string =>
  `/auth/auth/${id}${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}`

/** Path of sign-in links: of the identity provider that replaces the sign-in page, else of the sign-in page. */
export const signInPath = (config: Config): string => {
  const direct = directProvider(config)
  return direct ? providerPath(direct) : '/auth/sign_in'
}
