/** When the statuses of suspended people of other servers are erased. */
import { expect, test } from 'vitest'
import { nextLook } from './suspension.rules.js'

const day = (n: number) => new Date(n * 86_400_000)

test('moderation 1 of a blocked server after a day, of one person after thirty', () => {
  const at = (domain: 'open' | 'blocked', now: number) => nextLook(day(0), domain, day(now))
  expect(at('blocked', 0.5)).toEqual({ since: day(0), at: day(1) })
  expect(at('blocked', 1)).toEqual({ since: day(0), at: null })
  expect(at('open', 1)).toEqual({ since: day(0), at: day(2) })
  expect(at('open', 29.5)).toEqual({ since: day(0), at: day(30) })
  expect(at('open', 30)).toEqual({ since: day(0), at: null })
})

test('moderation 4 of a server that is not listed never, as long as it is not, and then the days begin', () => {
  expect(nextLook(day(0), 'unlisted', day(0.5))).toEqual({ since: day(0.5), at: day(1.5) })
  expect(nextLook(day(0), 'unlisted', day(400))).toEqual({ since: day(400), at: day(401) })
})
