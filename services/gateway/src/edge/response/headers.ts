/** Headers of every response: CORS, security, caching (D-3). Lists are `name, value, name, value …`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyOperation, Route } from '@murmuration/contracts/kit'
import { securityHeaders } from '@murmuration/kernel'

export type HeaderList = readonly string[]

const EXPOSED =
  'Link, Mastodon-Async-Refresh, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id'
const OPEN: HeaderList = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED]
const USUAL_REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Requested-With'

/** Whether the path belongs to the federation surface, which other servers and programs request. */
export const isDocumentPath = (path: string): boolean =>
  path.startsWith('/.well-known/') ||
  path.startsWith('/nodeinfo/') ||
  (path.startsWith('/users/') && !path.endsWith('.rss')) ||
  path.startsWith('/ap/') ||
  path === '/inbox' ||
  path === '/actor' ||
  path.startsWith('/actor/')

/** Matches the HTML pages below `/oauth/`. */
const PAGES_OF_OAUTH = /^\/oauth\/authorize(d_applications)?(\/|$)/i
/** Paths that look like paths of the API, but are served as pages. */
const API_PATHS_OF_PAGES = new Set(['/api/openapi.json', '/.well-known/change-password'])

/** Matches the paths that this server's web clients request with a session cookie. API clients cannot use these paths. */
const WEB_CLIENT = /^\/api\/web\/(settings|push_subscriptions)(\/|$)/

/** Whether only programs request a path. Error responses for such a path are JSON, whatever the Accept header prefers. */
export const isForPrograms = (path: string): boolean =>
  isApiOrDocument(path) && !API_PATHS_OF_PAGES.has(path) && !WEB_CLIENT.test(path)
const isApiOrDocument = (path: string): boolean =>
  path === '/api' ||
  path.startsWith('/api/') ||
  (path.startsWith('/oauth/') && !PAGES_OF_OAUTH.test(path)) ||
  isDocumentPath(path)

/** Whether any web page may request this path without credentials (D028). */
export const isOpenToPages = (path: string): boolean =>
  (path.startsWith('/api/') && !WEB_CLIENT.test(path)) ||
  path === '/oauth/token' ||
  path === '/oauth/revoke' ||
  path === '/oauth/userinfo' ||
  isDocumentPath(path)

/** Responds to a CORS preflight request. */
export const respondToPreflight = (req: IncomingMessage, res: ServerResponse, https: boolean): void => {
  const requested = String(req.headers['access-control-request-headers'] ?? '')
  res.writeHead(204, [
    ...OPEN,
    ...guardHeaders(https),
    'Access-Control-Allow-Methods',
    'GET, POST, PUT, DELETE, PATCH, OPTIONS',
    'Access-Control-Allow-Headers',
    /^[\w, -]{1,1000}$/.test(requested) ? requested : USUAL_REQUEST_HEADERS,
    'Access-Control-Max-Age',
    '86400',
    'Vary',
    'Access-Control-Request-Headers',
  ])
  res.end()
}

/** Security headers of every response, also of pages and error responses. */
export const guardHeaders = (https: boolean): HeaderList => Object.entries(securityHeaders(https)).flat()

/** Sets the security headers on a response. Later code may replace them. */
export const guardResponse = (res: ServerResponse, https: boolean): void => {
  for (const [name, value] of Object.entries(securityHeaders(https))) res.setHeader(name, value)
}

const NOTHING_LOADED: HeaderList = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
]
const JSON_TYPE = 'application/json; charset=utf-8'
const PRIVATE = 'private, no-store'
const SHARED = 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400'
const INSTANCE = 'max-age=300, public, stale-while-revalidate=30, stale-if-error=86400'

export interface RouteHeaders {
  /** Headers of a successful response to a request with a token. Shared caches must not store it, unless it describes the instance. */
  readonly signedIn: HeaderList
  /** Headers of a successful response to a request without a token. */
  readonly anonymous: HeaderList
  /** Headers of error responses. */
  readonly refused: HeaderList
}

/** Headers of all responses of a route, computed once. With `membersOnly`, the description of the instance is not cached. */
export const routeHeaders = (
  operation: AnyOperation,
  route: Route,
  { https, membersOnly }: { https: boolean; membersOnly: boolean },
): RouteHeaders => {
  const instance = operation.cache === 'instance' && !membersOnly
  const always = [
    // A route below `/@name` serves the ActivityPub document of a page, so it gets the CORS headers of documents.
    ...(isOpenToPages(route.path) || route.path.startsWith('/@') ? OPEN : []),
    ...NOTHING_LOADED,
    ...guardHeaders(https),
    'Vary',
    instance ? 'Origin' : 'Authorization, Origin',
    ...(route.deprecated ? ['Deprecation', deprecation(route.deprecated)] : []),
  ]
  const type = operation.output.kind === 'raw' ? operation.output.contentType : JSON_TYPE
  const response = (cache: string) => [...always, 'Content-Type', type, 'Cache-Control', cache]
  return {
    signedIn: response(instance ? INSTANCE : PRIVATE),
    anonymous: response(instance ? INSTANCE : operation.cache === 'anonymous' ? SHARED : PRIVATE),
    refused: [...always, 'Content-Type', JSON_TYPE, 'Cache-Control', PRIVATE],
  }
}

/** Headers of the error response to a request that matches no route. */
export const strayHeaders = (path: string, https: boolean): HeaderList => [
  ...(isOpenToPages(path) ? OPEN : []),
  ...NOTHING_LOADED,
  ...guardHeaders(https),
  'Vary',
  'Authorization, Origin',
  'Content-Type',
  JSON_TYPE,
  'Cache-Control',
  PRIVATE,
]

/** Value of the Deprecation header (RFC 9745): `@` and the Unix seconds of a day such as `2022-11-14`. */
export const deprecation = (day: string): string => `@${Date.parse(`${day}T00:00:00Z`) / 1000}`

/** Returns the list of headers with the headers `own` added. Headers of the same names, ignoring case, are removed from the list. */
export const withHeaders = (list: HeaderList, own: Readonly<Record<string, string>>): string[] => {
  const names = Object.keys(own)
  if (names.length === 0) return [...list]
  const replaced = new Set(names.map((name) => name.toLowerCase()))
  const kept: string[] = []
  for (let i = 0; i < list.length; i += 2)
    if (!replaced.has((list[i] as string).toLowerCase())) kept.push(list[i] as string, list[i + 1] as string)
  for (const name of names) kept.push(name, own[name] as string)
  return kept
}
