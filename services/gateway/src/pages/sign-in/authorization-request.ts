/** The query of an authorization as the browser carries it from page to page. */
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

/** The request in a query or form; what is given twice counts as not given. */
export const readRequest = (given: Readonly<Record<string, unknown>>): AuthorizationRequest => {
  const text = FIELDS.flatMap((name) => {
    const value = given[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return { ...Object.fromEntries(text), ...(FALSE.has(given.force_login) ? {} : { force_login: true }) }
}

/** The request as hidden fields of the form that answers it. */
export const hiddenFields = (request: AuthorizationRequest): Html[] =>
  FIELDS.filter((name) => request[name] !== undefined).map(
    (name) => html`<input type="hidden" name="${name}" value="${request[name]}">`,
  )

/** Origin, or scheme of a native app, to which a form may lead; in the form of a Content-Security-Policy source. */
export const formTargetOf = (address: string | null | undefined): string[] => {
  const url = URL.parse(address ?? '')
  if (!url) return []
  const target = /^https?:$/.test(url.protocol) ? url.origin : url.protocol
  return /^[a-z][a-z\d+.-]*:(?:\/\/[a-z\d.:[\]-]+)?$/i.test(target) ? [target] : []
}

/** Where a form leads that signs in on the way to an app: browsers count the redirects after it as part of it. */
export const targetsBehind = (next: string): string[] => {
  const url = URL.parse(next, 'http://here.invalid')
  return url?.pathname === '/oauth/authorize' ? formTargetOf(url.searchParams.get('redirect_uri')) : []
}
