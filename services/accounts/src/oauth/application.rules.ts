/** Validates registrations of applications: name, redirect URIs, scopes and website. */
import { type ErrorText, errorText, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { parseScopes, validScopes } from '@murmuration/contracts/scopes'
import { webUrl } from '@murmuration/text'

/** Redirect URI of clients that cannot receive a redirect. A page of this server shows the code. */
export const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'

/** True for `OUT_OF_BAND`, and for its variant for clients that read the code from the page title. The names in `urn:` URIs ignore case. */
export const isOutOfBand = (uri: string): boolean => /^urn:ietf:wg:oauth:2\.0:oob(?::auto)?$/i.test(uri)

/**
 * Schemes that browsers or operating systems handle themselves: they run code, read local files, show a page with another origin,
 * or start a call or a message. No app receives an authorization code through such a URI.
 */
const FORBIDDEN_SCHEMES = new Set([
  'about:',
  'blob:',
  'brave:',
  'callto:',
  'chrome:',
  'content:',
  'data:',
  'devtools:',
  'dict:',
  'edge:',
  'facetime-audio:',
  'facetime:',
  'file:',
  'filesystem:',
  'ftp:',
  'ftps:',
  'gopher:',
  'hcp:',
  'jar:',
  'javascript:',
  'ldap:',
  'ldaps:',
  'livescript:',
  'mailto:',
  'mhtml:',
  'mk:',
  'mms:',
  'mmsto:',
  'mocha:',
  'ms-its:',
  'ms-msdt:',
  'ms-officecmd:',
  'news:',
  'nntp:',
  'opera:',
  'res:',
  'resource:',
  'search-ms:',
  'search:',
  'sftp:',
  'shell:',
  'sip:',
  'sips:',
  'smb:',
  'sms:',
  'smsto:',
  'ssh:',
  'tel:',
  'telnet:',
  'tftp:',
  'vbscript:',
  'view-source:',
  'vivaldi:',
  'ws:',
  'wss:',
  'wyciwyg:',
])

/** False for a URI such as `https:a`, which a browser reads as a path of this server. Only http and https URIs need a host. */
const hasHost = (uri: string): boolean => !/^https?:/i.test(uri) || /^https?:\/\/[^/]/i.test(uri)

/** Whether a browser may be redirected to this URI. Older versions of this software registered URIs that are forbidden now. */
export const mayRedirectTo = (uri: string): boolean =>
  isOutOfBand(uri) || (URL.canParse(uri) && !FORBIDDEN_SCHEMES.has(new URL(uri).protocol) && hasHost(uri))

export interface Registration {
  name: string
  redirectUris: string[]
  scopes: string[]
  website: string | null
}

const { oauth } = limits
const length = (text: string): number => [...text].length

const redirectProblem = (uri: string): ErrorText | null => {
  if (isOutOfBand(uri)) return null
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(uri)) return errorText('must be an absolute URI.')
  if (!URL.canParse(uri)) return errorText('must be a valid URI.')
  const url = new URL(uri)
  if (FORBIDDEN_SCHEMES.has(url.protocol)) return errorText('is forbidden by the server.')
  if (uri.includes('#')) return errorText('cannot contain a fragment.')
  if (!hasHost(uri)) return errorText('must be an absolute URI.')
  return null
}

const redirectProblems = (uris: readonly string[]): ErrorText[] => {
  if (uris.length === 0) return [errorText("can't be blank")]
  if (length(uris.join('\n')) > oauth.redirectUrisCharacters)
    return [errorText('is too long (maximum is {most} characters)', { most: oauth.redirectUrisCharacters })]
  const problems = uris.map(redirectProblem).filter((one) => one !== null)
  return [...new Map(problems.map((one) => [one.message, one])).values()]
}

const nameProblems = (name: string): ErrorText[] => {
  if (name === '') return [errorText("can't be blank")]
  return length(name) > oauth.appNameCharacters
    ? [errorText('is too long (maximum is {most} characters)', { most: oauth.appNameCharacters })]
    : []
}

const websiteProblems = (website: string | null): ErrorText[] => {
  if (website === null) return []
  if (length(website) > oauth.websiteCharacters)
    return [errorText('is too long (maximum is {most} characters)', { most: oauth.websiteCharacters })]
  return webUrl(website) === null ? [errorText('is not a valid URL')] : []
}

/** Validates the registration of an application and returns the data to store. Throws one error that lists all problems. */
export const registrationOf = (input: {
  client_name?: string | undefined
  redirect_uris?: readonly string[] | undefined
  scopes?: string | undefined
  website?: string | null | undefined
}): Registration => {
  const name = (input.client_name ?? '').trim()
  const redirectUris = [...new Set((input.redirect_uris ?? []).flatMap((one) => one.split(/\s+/)).filter(Boolean))]
  const website = input.website?.trim() || null
  const scopes = parseScopes(input.scopes?.trim() || 'read')
  const problems = [
    ...nameProblems(name).map((problem) => errorText('Application name {problem}', { problem })),
    ...redirectProblems(redirectUris).map((problem) => errorText('Redirect URI {problem}', { problem })),
    ...(validScopes(scopes) ? [] : [errorText("Scopes doesn't match configured on the server.")]),
    ...websiteProblems(website).map((problem) => errorText('Application website {problem}', { problem })),
  ]
  if (problems.length) throw invalidField(...problems)
  return { name, redirectUris, scopes, website }
}
