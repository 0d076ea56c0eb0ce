/** Other providers that people may sign in with, and where a link to sign in leads (S-176). */
import type { Config } from '../../config.js'

export interface Provider {
  /** Stands in addresses. */
  readonly id: string
  readonly name: string
}

export const providersOf = (config: Config): Provider[] =>
  [
    { on: config.oidcEnabled, id: 'openid_connect', name: config.oidcName },
    { on: config.oidc2Enabled, id: 'openid_connect_2', name: config.oidc2Name },
    { on: config.oidc3Enabled, id: 'openid_connect_3', name: config.oidc3Name },
  ].flatMap(({ on, id, name }) => (on ? [{ id, name }] : []))

/** The provider that stands in for our own page: the only one, where the operator wants that. */
export const directProvider = (config: Config): Provider | null => {
  const [first, second] = providersOf(config)
  return first && !second && (config.externalOnly || config.oneClick) ? first : null
}

export const providerPath = ({ id }: Provider, next = '/'): string =>
  `/auth/auth/${id}${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}`

/** Where links to sign in lead. */
export const signInPath = (config: Config): string => {
  const direct = directProvider(config)
  return direct ? providerPath(direct) : '/auth/sign_in'
}
