/** Published limits, and the rate limit buckets of requests. */
import { describe, expect, test } from 'vitest'
import { limits } from './limits.js'
import { bucketsFor, rateLimits } from './rate-limits.js'

describe('numbers', () => {
  test('S-199 S-204 S-205 S-206 S-208 equal those of the specification', () => {
    expect(limits.pages.notifications).toEqual({ default: 40, max: 80 })
    expect(limits.statuses.maxPinned).toBe(5)
    expect(limits.accounts.featuredTags).toBe(10)
    expect(limits.accounts.privateNoteCharacters).toBe(2000)
    expect(limits.oauth).toMatchObject({
      appNameCharacters: 60,
      websiteCharacters: 2000,
      redirectUrisCharacters: 2000,
    })
    expect(limits.threads.signedOut).toEqual({ ancestors: 40, descendants: 60, depth: 20 })
    expect(limits.search.anonymousMinCharacters).toBe(5)
  })

  test('sizes are the bytes and pixels that the instance publishes', () => {
    expect(limits.media.imageBytes).toBe(16_777_216)
    expect(limits.media.videoBytes).toBe(103_809_024)
    expect(limits.media.imagePixels).toBe(7680 * 4320)
    expect(limits.media.mimeTypes).toHaveLength(28)
    expect(new Set(limits.media.mimeTypes).size).toBe(28)
  })

  test('the default page size is at most the maximum', () => {
    const pages = Object.values(limits.pages)
    expect(pages.filter((page) => page.default > page.max)).toEqual([])
  })
})

describe('rate limits', () => {
  const named = (method: string, path: string, query: string[] = []) =>
    bucketsFor(rateLimits.requests, method, path, query).map((bucket) => bucket.name)
  const family = (method: string, path: string) =>
    bucketsFor(rateLimits.families, method, path).map((bucket) => bucket.name)
  const api = ['api', 'api_token', 'api_anonymous']

  test.each([
    ['GET', '/api/v2/instance', [], api],
    ['GET', '/api/v1/timelines/home', ['max_id'], [...api, 'paging', 'paging_anonymous']],
    ['GET', '/@alice', ['page'], ['paging', 'paging_anonymous']],
    ['GET', '/@alice', ['limit'], []],
    ['POST', '/api/v2/media', [], [...api, 'media']],
    ['GET', '/api/v2/media', [], api],
    ['POST', '/api/v1/accounts', [], [...api, 'api_sign_up']],
    ['POST', '/api/v1/accounts/1/follow', [], api],
    ['DELETE', '/api/v1/statuses/1', [], [...api, 'deletes']],
    ['POST', '/api/v1/statuses/1/unreblog', [], [...api, 'deletes']],
    ['DELETE', '/api/v1/statuses/1/x', [], api],
    ['POST', '/auth/sign_in', [], ['sign_in', 'sign_in_account']],
    ['POST', '/auth/sign_in/second_factor', [], ['sign_in', 'sign_in_account']],
    ['GET', '/auth/auth/openid_connect/callback', [], ['provider_sign_in']],
    ['POST', '/auth/identity', [], ['provider_sign_in']],
    ['POST', '/settings/second_factor/remove', [], ['second_factor_change']],
    ['post', '/auth', [], ['web_sign_up']],
    ['PATCH', '/auth', [], ['password_change']],
    ['PUT', '/auth/setup', [], ['confirmation', 'setup_email', 'setup']],
    ['GET', '/media_proxy/1/original', [], ['media_proxy']],
    ['GET', '/about', [], []],
  ])('%s %s?%j', (method, path, query, names) => {
    expect(named(method, path, query)).toEqual(names)
  })

  test.each([
    ['POST', '/api/v1/statuses', ['statuses']],
    ['PUT', '/api/v1/statuses/1', ['statuses']],
    ['POST', '/api/v1/statuses/1/reblog', ['statuses']],
    ['POST', '/api/v1/statuses/1/favourite', []],
    ['POST', '/api/v1/accounts/1/follow', ['follows']],
    ['POST', '/api/v1/tags/birds/follow', ['follows']],
    ['POST', '/api/v1/reports', ['reports']],
    ['GET', '/api/v1/statuses', []],
  ])('S-207 family of %s %s', (method, path, names) => {
    expect(family(method, path)).toEqual(names)
  })

  test('S-207 the families hold 300 in three hours and 400 in a day', () => {
    expect(rateLimits.families.map(({ name, limit, windowSeconds }) => [name, limit, windowSeconds])).toEqual([
      ['statuses', 300, 10_800],
      ['follows', 400, 86_400],
      ['reports', 400, 86_400],
    ])
  })

  test('names are unique', () => {
    const names = [...rateLimits.requests, ...rateLimits.families].map((bucket) => bucket.name)
    expect(new Set(names).size).toBe(names.length)
  })
})
