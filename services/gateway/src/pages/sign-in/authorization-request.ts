/** Parameters of an OAuth authorization request, in queries and hidden fields. */
import type { AuthorizationRequest } from '@murmuration/contracts/accounts'
import { type Html, html } from '../core/html.js'

const FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
] as const

const FALSE = new Set<unknown>([undefined, 'false', '0', 'off', ''])

/** Reads an OAuth authorization request from a query or form. Repeated parameters are ignored. */
export const readRequest = (given: Readonly<Record<string, unknown>>): AuthorizationRequest => {
  const text = FIELDS.flatMap((name) => {
    const value = given[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return { ...Object.fromEntries(text), ...(FALSE.has(given.force_login) ? {} : { force_login: true }) }
}

/** The OAuth authorization request as hidden fields of the consent form. */
export const hiddenFields = (request: AuthorizationRequest): Html[] =>
  FIELDS.filter((name) => request[name] !== undefined).map(
    (name) => html`<input type="hidden" name="${name}" value="${request[name]}">`,
  )

/** CSP source of a redirect URI: its origin, or the scheme of a native app. Returns an empty text for an invalid URI. */
export const formTargetOf = (address: string | null | undefined): string[] => {
  const url = URL.parse(address ?? '')
  if (!url) return []
  const target = /^https?:$/.test(url.protocol) ? url.origin : url.protocol
  return /^[a-z][a-z\d+.-]*:(?:\/\/[a-z\d.:[\]-]+)?$/i.test(target) ? [target] : []
}

/**
 * CSP `form-action` sources of a sign-in form. They include the app, because browsers also check the redirects after
 * the form, which may end at the app.
 */
export const targetsBehind = (next: string): string[] => {
  const url = URL.parse(next, 'http://here.invalid')
  return url?.pathname === '/oauth/authorize' ? formTargetOf(url.searchParams.get('redirect_uri')) : []
}
