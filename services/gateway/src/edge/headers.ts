/** Headers that every answer carries: CORS, security, caching (errors.md 8, D-3). */
import type { ServerResponse } from 'node:http'
import type { AnyOperation } from '@murmuration/contracts/kit'

const EXPOSED =
  'Link, Mastodon-Async-Refresh, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id'

/** Paths that any web page may call. */
export const isOpenToPages = (path: string): boolean =>
  path.startsWith('/api/') ||
  path === '/oauth/token' ||
  path === '/oauth/revoke' ||
  path === '/oauth/userinfo' ||
  path.startsWith('/.well-known/') ||
  path.startsWith('/nodeinfo')

/** CORS without credentials, the same for every origin. */
export const allowPages = (res: ServerResponse): void => {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', EXPOSED)
}

/** The answer to a preflight. */
export const answerPreflight = (res: ServerResponse): void => {
  allowPages(res)
  res.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE, PATCH, OPTIONS',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Requested-With',
    'Access-Control-Max-Age': '86400',
  })
  res.end()
}

const CSP = "default-src 'none'; frame-ancestors 'none'; form-action 'none'"
const SHARED = 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400'
const INSTANCE = 'max-age=300, public, stale-while-revalidate=30, stale-if-error=86400'

/** Headers of an API answer. `signedIn` keeps personal answers out of shared caches. */
export const apiHeaders = (operation: AnyOperation, signedIn: boolean, requestId: string): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Security-Policy': CSP,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'X-Request-Id': requestId,
  Vary: operation.cache === 'instance' ? 'Origin' : 'Authorization, Origin',
  'Cache-Control':
    operation.cache === 'instance'
      ? INSTANCE
      : operation.cache === 'anonymous' && !signedIn
        ? SHARED
        : 'private, no-store',
})

/** `Deprecation: @<unix seconds>` of a day such as `2022-11-14`. */
export const deprecation = (day: string): string => `@${Date.parse(`${day}T00:00:00Z`) / 1000}`
