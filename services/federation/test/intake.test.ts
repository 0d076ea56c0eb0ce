/** Work on what was kept gives way to a crowd that waits to be answered, and only for a while. */
import { randomUUID } from 'node:crypto'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Context, createContext } from '../src/context.js'
import { startWorld, type World } from './world.js'

let world: World
let ctx: Context
beforeAll(async () => {
  world = await startWorld({ BATCH_PAUSES: 'true' })
  const base = world.host.running.find((one) => one.service === 'federation')?.ctx
  ctx = await createContext(base as Parameters<typeof createContext>[0])
})
afterAll(() => world.stop())

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

/** What comes meanwhile can be read, and waits to be written. */
const whileNothingIsWritten = <T>(during: () => Promise<T>): Promise<T> =>
  world.db('federation').tx(async (tx) => {
    await tx.run(sql`lock table inbox_activities in exclusive mode`)
    return during()
  })

const msUntilCalm = async (): Promise<number> => {
  const began = performance.now()
  await ctx.intake.waitForIdle()
  return performance.now() - began
}

/** True when nothing has to be waited for, not even for the first look at whether the crowd has gone. */
const isCalm = (): Promise<boolean> =>
  Promise.race([
    ctx.intake.waitForIdle().then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 0, false)),
  ])

test('a few who wait hold up nobody', async () => {
  const [kept, calm] = await whileNothingIsWritten(async () => [keepSome(2), await isCalm()] as const)
  expect(calm).toBe(true)
  expect(await kept).toEqual([true, true])
})

test('a crowd holds up the work, for a second at most', async () => {
  const [kept, ms] = await whileNothingIsWritten(async () => [keepSome(8), await msUntilCalm()] as const)
  expect(ms).toBeGreaterThanOrEqual(900)
  expect(await kept).toHaveLength(8)
  await expect.poll(isCalm).toBe(true)
})
