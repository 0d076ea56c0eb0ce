/** Changes of one object by one actor apply one after the other, and each waits for at most a second. */

import type { Uri } from '@murmuration/activitypub/vocabulary/uri'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../src/context.js'
import { lastWriters } from '../src/core/older-table-names.store.js'
import { inOrder } from '../src/inbox/activities/ordering.js'
import { done, type Outcome, refused } from '../src/inbox/activities/outcome.js'
import { claimObject } from '../src/inbox/last-writer.store.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let ctx: Parameters<typeof inOrder>[0]
beforeAll(async () => {
  harness = await startHarness()
  const base = harness.host.running.find((one) => one.service === 'federation')?.ctx
  ctx = await createContext(base as Parameters<typeof createContext>[0])
})
afterAll(() => harness.stop())

const start = Date.now() - 300_000
let deliveries = 0
/** An activity received so many seconds after the start, and signed then or at `signed`. */
const delivered = (
  thing: string,
  { came, signed = came, id = `${++deliveries}` }: { came: number; signed?: number; id?: string },
) => ({
  activity: { actor: `https://remote.example/users/${thing}` as Uri },
  delivery: { id, receivedAt: new Date(start + came * 1_000), signedAt: new Date(start + signed * 1_000) },
})
const work = (
  thing: string,
  when: Parameters<typeof delivered>[1],
  does: () => Promise<Outcome> = async () => worked,
) => inOrder(ctx, delivered(thing, when), { object: thing }, does).catch((error: Error) => error.message)
const worked = done()
const overtaken = { outcome: 'ignored', reason: 'overtaken' }
const held = () => Promise.withResolvers<Outcome>()
const LATER = expect.stringContaining('still being processed')

test('a change waits for the one before it, and applies after it', async () => {
  const { promise, resolve } = held()
  let running = 0
  let max = 0
  const counted = async () => {
    max = Math.max(max, ++running)
    await ctx.clock.sleep(5)
    running--
    return worked
  }
  const first = work('busy', { came: 0 }, () => promise.then(counted))
  await ctx.clock.sleep(50)
  const others = [1, 1, 1].map((came) => work('busy', { came }, counted))
  resolve(worked)
  expect(await Promise.all([first, ...others])).toEqual([worked, worked, worked, worked])
  expect(max).toBe(1)
})

test('a change waits for at most a second', async () => {
  const { promise, resolve } = held()
  const first = work('slow', { came: 0 }, () => promise)
  await ctx.clock.sleep(50)
  expect(await work('slow', { came: 1 })).toEqual(LATER)
  resolve(worked)
  await first
})

test('a redelivery received during the processing of the first waits for it', async () => {
  const { promise, resolve } = held()
  const first = work('again', { came: 0, id: '900' }, () => promise)
  await ctx.clock.sleep(50)
  const second = work('again', { came: 1, id: '900' })
  expect(await Promise.race([second, ctx.clock.sleep(300).then(() => 'waits')])).toBe('waits')
  resolve(worked)
  expect(await Promise.all([first, second])).toEqual([worked, worked])
})

test('a signature far in the future does not block changes after the clock was corrected', async () => {
  expect(await work('ahead', { came: 0, signed: 3_000 })).toEqual(worked)
  expect(await work('ahead', { came: 5 })).toEqual(worked)
  expect(await work('ahead', { came: 6, signed: 4 })).toEqual(overtaken)
})

test('a claim that was stored while the clock of the database was ahead blocks no change', async () => {
  const change = { actor: 'https://remote.example/users/clock', object: 'clock', holder: 'dead', signedAt: null }
  await claimObject(ctx.db, change)
  expect(await work('clock', { came: 0 })).toEqual(LATER)
  await ctx.db.run(
    sql`update ${lastWriters} set held_until = held_until + interval '1 day' where actor = ${change.actor}`,
  )
  expect(await work('clock', { came: 0 })).toEqual(worked)
})

test('a refused activity does not block an earlier one', async () => {
  expect(await work('unheard', { came: 9 }, async () => refused('not-yours'))).toEqual(refused('not-yours'))
  expect(await work('unheard', { came: 8 })).toEqual(worked)
  expect(await work('unheard', { came: 7 })).toEqual(overtaken)
})
