/** Remote statuses received together: stored in one transaction, and a failing one does not affect the others. */
import { fanOut, putRemoteStatuses, type RemoteStatus, statusCreated } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let far: FakeAccount
let evil: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  far = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
  evil = harness.fakes.fakeAccount('eve', { domain: 'evil.example' })
})
afterAll(() => harness.stop())

const db = () => harness.cluster.db('statuses')
const remote = (more: Partial<RemoteStatus> = {}) => remoteStatus(far, { language: 'de', ...more })
const put = async (...all: RemoteStatus[]) => (await harness.cluster.call(putRemoteStatuses, { statuses: all })).stored
const show = (id = '') => harness.cluster.call(statuses.showStatus, { id }, harness.as(ann))
/** Rows of the outbox with this subject. */
const notifiedOf = async (subject: string): Promise<{ id?: string; status?: string; more?: string[] }[]> =>
  (await db().rows<{ data: string }>(sql`select data from outbox where subject = ${subject} order by id`)).map((row) =>
    JSON.parse(row.data),
  )
const transactions = async (ids: readonly string[]) => {
  const row = await db().row<{ n: number }>(
    sql`select count(distinct xmin::text)::int as n from statuses where id = any(${ids}::bigint[])`,
  )
  return row?.n
}

test('remote statuses are stored in one transaction, each with all its parts, and announced one by one', async () => {
  const tags = [{ name: '#Straße', display: 'Straße' }]
  const attachment = {
    url: 'https://far.example/a.png',
    media_type: 'image/png',
    description: 'a',
    blurhash: null,
    width: 1,
    height: 1,
    focus: null,
  }
  const thread = 'https://far.example/threads/1'
  const all = [
    remote({ tags, mentions: [{ id: ann.id, silent: false }], spoiler_text: 'careful' }),
    remote({
      tags,
      conversation: thread,
      emojis: [{ shortcode: 'blob', url: 'https://far.example/b.png', updated: null }],
    }),
    remote({
      conversation: thread,
      attachments: [attachment],
      visibility: 'unlisted',
      published: '2026-05-01T10:00:00.000Z',
    }),
  ]
  const stored = await put(...all)
  expect(stored.map((one) => one?.outcome)).toEqual(['created', 'created', 'created'])
  const ids = stored.map((one) => one?.id ?? '')
  expect(await transactions(ids)).toBe(1)
  const [first, second, third] = await Promise.all(ids.map(show))
  expect(first).toMatchObject({ uri: all[0]?.uri, url: all[0]?.url, content: all[0]?.html, sensitive: true })
  expect(first?.mentions.map((one) => one.id)).toEqual([ann.id])
  expect([first?.tags[0]?.name, second?.tags[0]?.name]).toEqual(['straße', 'straße'])
  expect(second?.emojis[0]?.shortcode).toBe('blob')
  expect(third).toMatchObject({ created_at: '2026-05-01T10:00:00.000Z', visibility: 'unlisted' })
  expect(third?.media_attachments).toHaveLength(1)
  const rows = await db().rows<{ conversation_id: string }>(
    sql`select distinct conversation_id from statuses where id = any(${ids.slice(1)}::bigint[])`,
  )
  expect(rows).toHaveLength(1)
  expect((await notifiedOf(statusCreated.subject)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  // Old statuses are not fanned out.
  const [job, ...others] = await notifiedOf(fanOut.subject)
  expect([job?.status, ...(job?.more ?? [])].toSorted()).toEqual(ids.slice(0, 2).toSorted())
  expect(others).toEqual([])
})

test('remote statuses reach the followers of their authors in few jobs, each once', async () => {
  const nell = harness.fakes.fakeAccount('nell', { domain: 'far.example' })
  harness.fakes.follow(ann, nell)
  await harness.home(ann)
  const before = (await notifiedOf(fanOut.subject)).length
  const stored = await put(...Array.from({ length: 30 }, () => remoteStatus(nell)))
  const ids = stored.map((one) => one?.id ?? '')
  await harness.cluster.waitForIdle()
  expect((await notifiedOf(fanOut.subject)).slice(before).map(({ more }) => more?.length)).toEqual([24, 4])
  const shown = await harness.cluster.call(statuses.homeTimeline, { limit: 40 }, harness.as(ann))
  expect(
    shown
      .map((one) => one.id)
      .filter((id) => ids.includes(id))
      .toSorted(),
  ).toEqual(ids.toSorted())
})

test('statuses of one second have ids in the order of the batch', async () => {
  const published = '2026-11-20T10:00:00Z'
  const stored = await put(...Array.from({ length: 20 }, () => remote({ published })))
  const ids = stored.map((one) => BigInt(one?.id ?? 0))
  // The sequence number of ids starts again at most once.
  expect(ids.filter((id, i) => i > 0 && id < (ids[i - 1] ?? 0n)).length).toBeLessThanOrEqual(1)
  expect(ids.includes(0n)).toBe(false)
})

test('a repeated call changes nothing, and a status that is passed twice is stored once', async () => {
  const [one, other] = [remote(), remote()]
  const [first] = await put(one, one)
  expect(first?.outcome).toBe('created')
  const again = await put(one, other, other)
  expect(again.map((it) => it?.outcome).toSorted()).toEqual(['created', 'unchanged', 'unchanged'])
  expect(again[0]?.id).toBe(first?.id)
  expect(again[1]?.id).toBe(again[2]?.id)
})

test('a status with a tombstone, and one of another origin than its author, are refused among the others', async () => {
  const gone = remote()
  await harness.cluster.call(statuses.removeRemoteStatus, { uri: gone.uri, author: far.id })
  const forged = remote({ author: evil.id })
  const stored = await put(remote(), gone, forged, remote())
  expect(stored.map((one) => one?.outcome)).toEqual(['created', 'refused', 'refused', 'created'])
})

test('a status that cannot be stored does not affect the others', async () => {
  const stored = await put(remote(), remote({ html: 'a\0b' }), remote())
  expect(stored.map((one) => one?.outcome ?? null)).toEqual(['created', null, 'created'])
})

test('replies received before their parent are linked, and replies and polls in the batch are stored', async () => {
  const parent = remote()
  const child = remote({ in_reply_to: parent.uri })
  const [early] = await put(child)
  const poll = { multiple: false, options: [{ title: 'yes', votes: 1 }], expires_at: null, voters: 1 }
  const stored = await put(remote(), parent, remote({ in_reply_to: child.uri }), remote({ poll }))
  expect(stored.map((one) => one?.outcome)).toEqual(['created', 'created', 'created', 'created'])
  const [late, found, answer, asked] = await Promise.all([early, ...stored.slice(1)].map((one) => show(one?.id)))
  expect(late?.in_reply_to_id).toBe(found?.id)
  expect(found?.replies_count).toBe(1)
  expect(answer?.in_reply_to_id).toBe(early?.id)
  expect(asked?.poll?.options).toHaveLength(1)
})

test.each(['alone', 'together'])(
  'a status stored %s its author is being removed is erased with the others',
  async (how) => {
    const leaver = harness.fakes.fakeAccount(`leaver${how}`, { domain: 'far.example' })
    const status = remoteStatus(leaver, how === 'alone' ? { favourites_count: 1 } : {})
    const held = await holding(db(), sql`select pg_advisory_xact_lock(hashtextextended(${status.uri}, 0))`)
    const stored = put(status)
    await held.queued(1)
    await harness.happen(accounts.accountRemoved, { id: leaver.id, local: false, uri: leaver.uri })
    await held.letGo()
    expect(await stored).toMatchObject([{ outcome: 'created' }])
    await harness.cluster.waitForIdle()
    expect(await db().rows(sql`select 1 from statuses where author_id = ${leaver.id} and deleted_at is null`)).toEqual(
      [],
    )
  },
)
