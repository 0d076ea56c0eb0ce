/** Times at which statuses of suspended remote accounts are erased. */
import { expect, test } from 'vitest'
import { nextLook } from './suspension.rules.js'

const day = (n: number) => new Date(n * 86_400_000)

test('moderation 1 statuses are erased after one day if the domain is blocked, after thirty days if one account is suspended', () => {
  const at = (domain: 'open' | 'blocked', now: number) => nextLook(day(0), domain, day(now))
  expect(at('blocked', 0.5)).toEqual({ since: day(0), at: day(1) })
  expect(at('blocked', 1)).toEqual({ since: day(0), at: null })
  expect(at('open', 1)).toEqual({ since: day(0), at: day(2) })
  expect(at('open', 29.5)).toEqual({ since: day(0), at: day(30) })
  expect(at('open', 30)).toEqual({ since: day(0), at: null })
})

test('moderation 4 statuses of a domain that was never listed are kept, and their retention period starts again', () => {
  expect(nextLook(day(0), 'unlisted', day(0.5))).toEqual({ since: day(0.5), at: day(1.5) })
  expect(nextLook(day(0), 'unlisted', day(400))).toEqual({ since: day(400), at: day(401) })
})
