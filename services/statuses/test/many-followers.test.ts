/** Fan-out and removal for accounts with more followers than one job handles. */
import { fanOut, fanOutRemoval, fanOutTags } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_PAGES } from '../src/feed/pages.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

test('F017 jobs of later followers are rows of the outbox, and all followers receive a status and its deletion', async () => {
  const { fakes, cluster } = harness
  fakes.audiencePage = 1
  const author = fakes.fakeAccount('famous')
  const followers = Array.from({ length: MAX_PAGES + 2 }, (_, i) => fakes.fakeAccount(`fan${i}`))
  for (const follower of followers) fakes.follow(follower, author)
  const [first] = followers
  if (!first) throw new Error('no followers')
  const home = async (index: number) =>
    (await cluster.call(statuses.homeTimeline, {}, harness.as(followers[index] ?? first))).map((one) => one.id)
  for (const index of followers.keys()) await home(index)
  await cluster.call(statuses.followTag, { name: 'party' }, harness.as(first))
  const feedsWith = async (id: string): Promise<number> => {
    const pages = await Promise.all([...followers.keys()].map(home))
    return pages.filter((ids) => ids.includes(id)).length
  }
  const queued = async ({ subject }: { subject: string }, id: string): Promise<unknown[]> => {
    const rows = await cluster
      .db('statuses')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${subject} order by id`)
    return rows.map((row) => JSON.parse(row.data)).filter((data) => data.status === id)
  }
  const { id } = await harness.post(author, 'to a #party')
  await cluster.waitForIdle()
  expect(await feedsWith(id)).toBe(followers.length)
  const after = followers[MAX_PAGES - 1]?.id
  expect(await queued(fanOut, id)).toEqual([{ status: id }, { status: id, after }])
  expect(await queued(fanOutTags, id)).toEqual([{ status: id }])
  await cluster.call(statuses.deleteStatus, { id }, harness.as(author))
  await cluster.waitForIdle()
  expect(await feedsWith(id)).toBe(0)
  const removal = { status: id, author: author.id, reblogOf: null }
  expect(await queued(fanOutRemoval, id)).toEqual([removal, { ...removal, after }])
  expect(await queued(fanOutTags, id)).toEqual([{ status: id }, { status: id, gone: true }])
})
