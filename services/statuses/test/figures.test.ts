/** Counts of local statuses: past days are counted once a day, the current ones on request. */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countOverDays } from '../src/count/ticks.js'
import { raise, type Stage, statuses } from './cast.js'

let stage: Stage
beforeAll(async () => {
  stage = await raise()
})
afterAll(() => stage.stop())

const DAY = 86_400_000
const here = () => {
  const found = stage.cluster.host.running.find((one) => one.service === 'statuses')
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
  const { local, localReplies } = await stage.cluster.call(statuses.statusCounts, {})
  return [local, localReplies]
}
const count = () => countOverDays.run(here() as never)
const days = async () =>
  (
    await stage.cluster
      .db('statuses')
      .rows<{ written: number; replies: number }>(
        sql`select written, replies from counted_days where written > 0 order by day`,
      )
  ).map(({ written, replies }) => [written, replies])

test('S-042 S-043 the total is the stored counts of past days plus the statuses since', async () => {
  const ann = stage.world.person('ann')
  expect(await figures()).toEqual([0, 0])
  const first = await stage.post(ann, 'first')
  await stage.post(ann, { status: 'answer', in_reply_to_id: first.id })
  await stage.post(ann, { status: 'to nobody', visibility: 'direct' })
  await stage.cluster.call(statuses.addReblog, { id: first.id }, stage.as(ann))
  expect(await figures()).toEqual([2, 1])
  await count()
  expect(await days()).toEqual([])

  pass(3 * DAY)
  const later = await stage.post(ann, 'later')
  await count()
  expect(await days()).toEqual([[2, 1]])
  expect(await figures()).toEqual([3, 1])

  // A deletion is counted at once for a new status, and the next day for an old one.
  await stage.cluster.call(statuses.deleteStatus, { id: later.id }, stage.as(ann))
  await stage.cluster.call(statuses.deleteStatus, { id: first.id }, stage.as(ann))
  await count()
  expect(await figures()).toEqual([2, 1])
  pass(DAY + 60_000)
  await count()
  expect(await days()).toEqual([[1, 1]])
  expect(await figures()).toEqual([1, 1])
})
