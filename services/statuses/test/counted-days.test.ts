/** Counts of local statuses: past days are counted once a day, the current ones on request. */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countOverDays } from '../src/count/ticks.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

const DAY = 86_400_000
const here = () => {
  const found = harness.cluster.host.running.find((one) => one.service === 'statuses')
  if (!found) throw new Error('statuses does not run')
  return found.ctx
}
let offset = 0
const pass = (ms: number) => {
  offset += ms
  here().clock.moveTo(offset)
}
const figures = async () => {
  // Counts are cached for a minute.
  pass(61_000)
  const { local, localReplies } = await harness.cluster.call(statuses.statusCounts, {})
  return [local, localReplies]
}
const count = () => countOverDays.run(here() as never)
const days = async () =>
  (
    await harness.cluster
      .db('statuses')
      .rows<{ written: number; replies: number }>(
        sql`select written, replies from counted_days where written > 0 order by day`,
      )
  ).map(({ written, replies }) => [written, replies])

test('S-042 S-043 the total is the stored counts of past days plus the statuses since', async () => {
  const ann = harness.fakes.fakeAccount('ann')
  expect(await figures()).toEqual([0, 0])
  const first = await harness.post(ann, 'first')
  await harness.post(ann, { status: 'answer', in_reply_to_id: first.id })
  await harness.post(ann, { status: 'to nobody', visibility: 'direct' })
  await harness.cluster.call(statuses.addReblog, { id: first.id }, harness.as(ann))
  expect(await figures()).toEqual([2, 1])
  await count()
  expect(await days()).toEqual([])

  pass(3 * DAY)
  const later = await harness.post(ann, 'later')
  await count()
  expect(await days()).toEqual([[2, 1]])
  expect(await figures()).toEqual([3, 1])

  // A deletion is counted at once for a new status, and the next day for an old one.
  await harness.cluster.call(statuses.deleteStatus, { id: later.id }, harness.as(ann))
  await harness.cluster.call(statuses.deleteStatus, { id: first.id }, harness.as(ann))
  await count()
  expect(await figures()).toEqual([2, 1])
  pass(DAY + 60_000)
  await count()
  expect(await days()).toEqual([[1, 1]])
  expect(await figures()).toEqual([1, 1])
})
