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

/**
 * True for the path of the consent page, with or without a query. After a sign-in that leads there, the next page may be
 * the app. As in the router, upper case and a slash at the end make no difference.
 */
export const isAuthorization = (next: string): boolean =>
  /^\/oauth\/authorize\/?$/i.test(URL.parse(next, 'http://here.invalid')?.pathname ?? '')
