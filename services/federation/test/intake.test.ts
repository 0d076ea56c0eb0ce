/** Processing yields to a burst of requests, for at most a second. */
import { randomUUID } from 'node:crypto'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Context, createContext } from '../src/context.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let ctx: Context
beforeAll(async () => {
  harness = await startHarness({ BATCH_PAUSES: 'true' })
  const base = harness.host.running.find((one) => one.service === 'federation')?.ctx
  ctx = await createContext(base as Parameters<typeof createContext>[0])
})
afterAll(() => harness.stop())

const keepSome = (count: number): Promise<boolean[]> =>
  Promise.all(
    Array.from({ length: count }, () => {
      const uri = `https://remote.example/${randomUUID()}`
      const activity = { type: 'Like', actor: 'https://remote.example/users/rita', ownerId: null, body: '{}' }
      const id = ctx.ids.next()
      return ctx.intake.responding(
        ctx.intake.store({ id, origin: 'https://remote.example', activityId: uri, ...activity }),
      )
    }),
  )

/** Holds a lock under which activities are read and not written. */
const whileNothingIsWritten = <T>(during: () => Promise<T>): Promise<T> =>
  harness.db('federation').tx(async (tx) => {
    await tx.run(sql`lock table inbox_activities in exclusive mode`)
    return during()
  })

const msUntilIdle = async (): Promise<number> => {
  const began = performance.now()
  await ctx.intake.waitForIdle()
  return performance.now() - began
}

/** True if processing starts at once, without the first check for a burst. */
const isIdle = (): Promise<boolean> =>
  Promise.race([
    ctx.intake.waitForIdle().then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 0, false)),
  ])

test('a few waiting requests do not delay processing', async () => {
  const [kept, idle] = await whileNothingIsWritten(async () => [keepSome(2), await isIdle()] as const)
  expect(idle).toBe(true)
  expect(await kept).toEqual([true, true])
})

test('a burst of requests delays processing for at most a second', async () => {
  const [kept, ms] = await whileNothingIsWritten(async () => [keepSome(8), await msUntilIdle()] as const)
  expect(ms).toBeGreaterThanOrEqual(900)
  expect(await kept).toHaveLength(8)
  await expect.poll(isIdle).toBe(true)
})
