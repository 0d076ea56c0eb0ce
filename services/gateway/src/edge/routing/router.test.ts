/** Matching of paths to routes, refused paths, and the headers of routes. */
import { routedOperations } from '@murmuration/contracts/registry'
import { expect, test } from 'vitest'
import { isForPrograms, isOpenToPages, routeHeaders, withHeaders } from '../response/headers.js'
import { routeTable } from './route-table.js'
import { createRouter } from './router.js'

const operations = routedOperations()
const router = createRouter(operations, { https: true, membersOnly: false })
const nameAt = (path: string, method = 'GET') => router.find(method, path)?.served.operation.name ?? null

test('parameters are decoded as UTF-8, a slash at the end is ignored, and HEAD uses the route of GET', () => {
  expect(router.find('GET', '/api/v1/timelines/tag/caf%C3%A9')?.params).toEqual({ hashtag: 'café' })
  expect(nameAt('/api/v1/timelines/home/')).toBe('statuses.timeline.home')
  expect(nameAt('/api/v1/timelines/home', 'HEAD')).toBe('statuses.timeline.home')
  expect(nameAt('/api/v1/statuses/1', 'PATCH')).toBe(nameAt('/api/v1/statuses/1', 'PUT'))
})

test.each([
  '/api/v1/../../admin',
  '/api/v1/accounts/%2e%2e/x',
  '/api/v1/accounts/%2E%2E',
  '/api/v1/accounts/..',
  '//api/v1/timelines/home',
  '/api//v1/timelines/home',
  '/api/v1/timelines%2fhome',
  '/api/v1/timelines%5chome',
  '/api/v1/timelines/tag/a%00',
  '/api/v1/timelines/tag/%zz',
  '/api/v1/timelines/tag/%ff',
  '/API/v1/timelines/home',
])('A175 %s matches no route', (path) => {
  expect(nameAt(path)).toBeNull()
})

test('A193 long paths with many separators are matched within 5 ms each', () => {
  const paths = operations.flatMap((one) => one.http.map((route) => route.path.replace(/:\w+/g, 'a-'.repeat(5_000))))
  const started = process.threadCpuUsage()
  for (const path of paths) router.find('GET', path)
  expect(process.threadCpuUsage(started).user / 1_000 / paths.length).toBeLessThan(5)
})

test('D031 methods without a route match nothing', () => {
  for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'DELETE', ''])
    expect(nameAt('/api/v1/timelines/home', method)).toBeNull()
})

/** These routes serve the public list to everyone, and more to staff with the permission. */
const PUBLIC_TRENDS = /^\/api\/v1\/admin\/trends\/(?:tags|links|statuses)$/

test('D045 every route has a row with its authorization and body limit', () => {
  const rows = routeTable(operations)
  expect(rows.length).toBe(operations.reduce((sum, one) => sum + one.http.length, 0))
  for (const row of rows) {
    expect(['user', 'optional', 'app', 'anyone']).toContain(row.auth)
    if (row.path.startsWith('/api/v1/admin') && !PUBLIC_TRENDS.test(row.path))
      expect(row.permission, row.path).toBeTruthy()
    if (row.method !== 'GET') expect(row.body_cap).toBeGreaterThan(0)
  }
})

test.each([
  ['GET', '/api/v1/filters/keywords/7', 'statuses.filter-keyword.show'],
  ['PUT', '/api/v1/filters/keywords/7', 'statuses.filter-keyword.update'],
  ['DELETE', '/api/v2/filters/keywords/7', 'statuses.filter-keyword.remove'],
  ['GET', '/api/v1/filters/7', 'statuses.v1-filter.show'],
  ['GET', '/api/v2/filters/7', 'statuses.filter.show'],
  ['GET', '/api/v2/filters/7/keywords', 'statuses.filter-keyword.list'],
  ['POST', '/api/v2/filters/7/keywords', 'statuses.filter-keyword.add'],
  ['POST', '/api/v2/filters/7/keywords/0', 'statuses.filter-keyword.add'],
  ['GET', '/api/v2/filters/statuses/7', 'statuses.filter-status.show'],
])('S-117 S-118 S-210 %s %s is the route of %s', (method, path, name) => {
  expect(nameAt(path, method)).toBe(name)
})

test.each([
  ['POST', '/api/v1/accounts/7/endorse', '/api/v1/accounts/7/pin'],
  ['POST', '/api/v1/accounts/7/unendorse', '/api/v1/accounts/7/unpin'],
  ['GET', '/api/v1/media/7', '/api/v2/media/7'],
  ['GET', '/api/v1/media/7', '/api/v2/media'],
  ['POST', '/api/v1/push/subscription', '/api/v1/push/subscriptions'],
  ['GET', '/api/v1/push/subscription', '/api/v1/push/subscriptions'],
  ['PUT', '/api/v1/push/subscription', '/api/v1/push/subscriptions'],
  ['DELETE', '/api/v1/push/subscription', '/api/v1/push/subscriptions'],
])('S-005 S-100 S-102 %s %s and %s are one operation', (method, path, alias) => {
  expect(nameAt(path, method)).not.toBeNull()
  expect(nameAt(alias, method)).toBe(nameAt(path, method))
})

test.each([
  ['/@alice', 'federation.actor.show'],
  ['/@alice/with_replies', 'federation.actor.show'],
  ['/@alice/followers', 'federation.collection.followers'],
  ['/@alice/following', 'federation.collection.following'],
  ['/@alice/7', 'federation.note.show'],
])('the page %s has activity JSON, which %s serves', (path, name) => {
  expect([nameAt(path), router.find('GET', path)?.negotiated]).toEqual([name, true])
})

test('S-110 S-216 v1 filters have a Deprecation header, v1 filter keywords do not', () => {
  const deprecation = (path: string) => {
    const headers = router.find('GET', path)?.served.headers.signedIn ?? []
    return headers[headers.indexOf('Deprecation') + 1]
  }
  for (const path of ['/api/v1/filters', '/api/v1/filters/7']) expect(deprecation(path)).toBe('@1668384000')
  for (const path of ['/api/v1/filters/keywords/7', '/api/v2/filters'])
    expect(router.find('GET', path)?.served.headers.signedIn).not.toContain('Deprecation')
})

test('S-216 only deprecated routes have a Deprecation header, with its published date, and none has Sunset', () => {
  const served = operations.flatMap(({ http }) =>
    http.map(({ method, path }) => {
      const headers = router.find(method, path.replace(/:\w+/g, '1'))?.served.headers.signedIn ?? []
      const at = headers.indexOf('Deprecation')
      return { path, sunset: headers.includes('Sunset'), date: at < 0 ? 'never' : (headers[at + 1] ?? '') }
    }),
  )
  expect(served.filter((one) => one.sunset)).toEqual([])
  const { never, ...dated } = Object.groupBy(served, (one) => one.date)
  expect(never?.length).toBeGreaterThan(300)
  const alpha = served.map((one) => one.path).filter((path) => /^\/api\/v1_alpha\/.*collections/.test(path))
  expect(alpha).toContain('/api/v1_alpha/collections/:id')
  const paths = Object.entries(dated).map(([date, list]) => [date, new Set(list?.map((one) => one.path))])
  expect(Object.fromEntries(paths)).toEqual({
    '@1668384000': new Set(['/api/v1/instance', '/api/v1/filters', '/api/v1/filters/:id']),
    '@1648598400': new Set(['/api/v1/accounts/:id/identity_proofs', '/api/v1/trends']),
    '@1621123200': new Set(['/api/v1/suggestions']),
    '@1781049600': new Set(alpha),
  })
})

test('D024 D026 D028 D029 routes have caching, security and CORS headers', () => {
  const found = (path: string) => router.find('GET', path)?.served.headers
  const map = (list: readonly string[] = []) =>
    Object.fromEntries(Array.from({ length: list.length / 2 }, (_, i) => [list[i * 2], list[i * 2 + 1]]))
  const timeline = found('/api/v1/timelines/public')
  expect(map(timeline?.anonymous)).toMatchObject({
    'Cache-Control': 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400',
    Vary: 'Authorization, Origin',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers':
      'Link, Mastodon-Async-Refresh, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id',
  })
  expect(map(timeline?.signedIn)['Cache-Control']).toBe('private, no-store')
  expect(map(timeline?.refused)['Cache-Control']).toBe('private, no-store')
  const instance = found('/api/v2/instance')
  expect(map(instance?.signedIn)).toMatchObject({
    'Cache-Control': 'max-age=300, public, stale-while-revalidate=30, stale-if-error=86400',
    Vary: 'Origin',
  })
  expect(map(found('/api/v1/instance')?.anonymous).Deprecation).toBe('@1668384000')
  const closed = operations.find((one) => one.name === 'admin.instance.show')
  if (!closed?.http[0]) throw new Error('no route')
  expect(map(routeHeaders(closed, closed.http[0], { https: false, membersOnly: true }).anonymous)).toMatchObject({
    'Cache-Control': 'private, no-store',
  })
})

test.each([
  ['/api/v1/x', true, true],
  ['/oauth/token', true, true],
  ['/oauth/revoke', true, true],
  ['/oauth/userinfo', true, true],
  ['/oauth/introspect', true, false],
  ['/oauth/nothing', true, false],
  ['/oauth/authorize', false, false],
  ['/oauth/authorize/native', false, false],
  ['/oauth/authorized_applications/1', false, false],
  ['/auth/sign_in', false, false],
  ['/.well-known/webfinger', true, true],
  ['/.well-known/change-password', false, true],
  ['/nodeinfo/2.0', true, true],
  ['/users/alice', true, true],
  ['/@alice', false, false],
  ['/', false, false],
])('D028 %s: for programs %s, open to other sites %s', (path, programs, open) => {
  expect([isForPrograms(path), isOpenToPages(path)]).toEqual([programs, open])
})

test('an added header replaces one of the same name, regardless of case', () => {
  expect(withHeaders(['Cache-Control', 'a', 'Vary', 'b'], { 'cache-control': 'c' })).toEqual([
    'Vary',
    'b',
    'cache-control',
    'c',
  ])
})
