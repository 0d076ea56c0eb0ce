/** Rules of cleanup passes: number of deletions, position and time of the next pass. */
import { expect, test } from 'vitest'
import { deletableIn, MAX_AT_ONCE, nextPass, type Seen, WINDOW } from './rules.js'

const window = (size: number, isKept: (n: number) => boolean): Seen[] =>
  Array.from({ length: size }, (_, i) => ({ id: String(i + 1), kept: isKept(i + 1) }))

test('a pass deletes at most twenty statuses that are not kept, and the next pass follows the last deleted one', () => {
  expect(deletableIn([])).toEqual({ ids: [], seen: null, isEnd: true })
  expect(deletableIn(window(4, (n) => n % 2 === 0))).toEqual({ ids: ['1', '3'], seen: '4', isEnd: true })
  expect(deletableIn(window(WINDOW, () => true))).toEqual({ ids: [], seen: String(WINDOW), isEnd: false })
  const many = deletableIn(window(100, (n) => n === 1))
  expect([many.ids.length, many.ids[0], many.seen, many.isEnd]).toEqual([MAX_AT_ONCE, '2', '21', false])
  expect(deletableIn(window(MAX_AT_ONCE, () => false))).toMatchObject({ seen: String(MAX_AT_ONCE), isEnd: true })
})

test('the next pass is after a minute, after six hours at the end, and starts over after a week', () => {
  const [day, minute] = [86_400_000, 60_000]
  const at = { seen: '7', beganAt: new Date(0) }
  expect(nextPass(day, at, { seen: '9', isEnd: false })).toEqual({
    seen: '9',
    beganAt: new Date(0),
    dueAt: new Date(day + minute),
  })
  expect(nextPass(day, at, { seen: null, isEnd: true })).toEqual({
    seen: '7',
    beganAt: new Date(0),
    dueAt: new Date(day + 360 * minute),
  })
  expect(nextPass(8 * day, at, { seen: '9', isEnd: true })).toMatchObject({ seen: '0', beganAt: new Date(8 * day) })
  expect(nextPass(8 * day, at, { seen: '9', isEnd: false })).toMatchObject({ seen: '9', beganAt: new Date(0) })
})
