/** Concurrency limits per class, their queues, and load shedding. */
import { Failure } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { createBulkheads } from './bulkhead.js'

const refusal = async (work: () => unknown): Promise<Failure> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error('the request was not refused')
}

test('D043 ten admin requests run, twenty wait half a second, more get 503 at once; other classes are not affected', async () => {
  const bulkheads = createBulkheads(() => 0)
  const releases = await Promise.all(Array.from({ length: 10 }, () => bulkheads.enter('admin')))
  let over = 0
  const waiting = Array.from({ length: 20 }, () => refusal(() => bulkheads.enter('admin')).finally(() => over++))
  const now = await refusal(() => bulkheads.enter('admin'))
  // The earlier requests are still waiting.
  expect(over).toBe(0)
  expect(now).toMatchObject({ status: 503, code: 'unavailable' })
  expect(now.extras.retryAfter).toBeGreaterThan(0)
  expect(typeof bulkheads.enter('read')).toBe('function')
  for (const late of await Promise.all(waiting)) expect(late.status).toBe(503)
  for (const release of releases) release()
  expect(typeof bulkheads.enter('admin')).toBe('function')
})

test('fifty logins at once are not refused on any number of CPU cores', async () => {
  const bulkheads = createBulkheads(() => 0)
  const login = async () => {
    const release = await bulkheads.enter('login')
    await new Promise((resolve) => setTimeout(resolve, 10))
    release()
  }
  const settled = await Promise.allSettled(Array.from({ length: 50 }, login))
  expect(settled.filter((one) => one.status === 'rejected')).toEqual([])
})

test('a free slot goes to the request that waited longest', async () => {
  const bulkheads = createBulkheads(() => 0)
  const releases = await Promise.all(Array.from({ length: 10 }, () => bulkheads.enter('admin')))
  const order: number[] = []
  const waits = [1, 2].map(async (n) => {
    const release = await bulkheads.enter('admin')
    order.push(n)
    return release
  })
  releases[0]?.()
  ;(await waits[0])?.()
  await waits[1]
  expect(order).toEqual([1, 2])
})

test.each([
  [50, []],
  [120, ['page', 'anonymous read']],
  [250, ['page', 'inbox', 'anonymous read']],
  [500, ['page', 'inbox', 'search', 'anonymous read']],
  [900, ['page', 'inbox', 'search', 'read', 'anonymous read']],
])('F071 at a lasting event-loop delay of %i ms the classes %j are shed, writes never', async (lag, shed) => {
  let seconds = 0
  const bulkheads = createBulkheads(
    () => lag,
    () => seconds * 1_000,
  )
  const refused = (of: Parameters<typeof bulkheads.admit>[0], anonymous = false) => {
    try {
      bulkheads.admit(of, anonymous)
      return false
    } catch {
      return true
    }
  }
  expect(refused('page')).toBe(false)
  for (let n = 0; n < 16; n++) await bulkheads.enter('read')
  for (; seconds < 30; seconds++) refused('read')
  const classes = (['page', 'inbox', 'search', 'read', 'write', 'upload'] as const).filter((of) => refused(of))
  expect([...classes, ...(refused('read', true) ? ['anonymous read'] : [])]).toEqual(shed)
})

test('F071 one pause of 330 ms sheds no request, a delay of two seconds sheds at once', () => {
  let lag = 330
  let seconds = 0
  const bulkheads = createBulkheads(
    () => lag,
    () => seconds * 1_000,
  )
  for (let n = 0; n < 16; n++) bulkheads.enter('read')
  expect(() => bulkheads.admit('read', true)).not.toThrow()
  lag = 2_000
  seconds++
  expect(() => bulkheads.admit('read', true)).toThrow('The server is busy')
})
