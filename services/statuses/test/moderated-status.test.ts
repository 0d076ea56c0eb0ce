/**
 * Statuses that staff marks as sensitive or deletes: what changes, what can be undone, and only of the named author.
 */
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeAccount } from './fakes/data.js'
import { type Harness, startHarness, statuses } from './harness.js'
import { remoteStatus } from './remote-status.js'

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let dan: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
  bob = harness.fakes.fakeAccount('bob')
  dan = harness.fakes.fakeAccount('dan', { domain: 'far.example' })
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const show = (id: string) => call(statuses.showStatus, { id }, harness.as(bob))
const history = (id: string) => call(statuses.showHistory, { id }, harness.as(bob))
const picture = (author: FakeAccount, more: object = {}) =>
  harness.post(author, { status: 'a picture', media_ids: [harness.fakes.file(author).id], ...more })
const mark = async (ids: string[], sensitive = true, of = 'one', author = ann) =>
  (await call(statuses.markStatusesSensitive, { author: author.id, ids, mark: of, sensitive })).changed
const remove = async (ids: string[], author = ann) =>
  (await call(statuses.deleteModeratedStatuses, { author: author.id, ids })).deleted
const putRemote = async () => {
  const { id } = await call(statuses.putRemoteStatus, { status: remoteStatus(dan) })
  return id ?? ''
}
const announced = async (subject: string, id: string) =>
  harness.cluster.db('statuses').rows(sql`select 1 from outbox where subject = ${`evt.statuses.status.${subject}`}
    and data::jsonb ->> 'id' = ${id}`)

test('statuses of one author are found with whether a mark would hide anything; boosts, deleted statuses and those of others are not', async () => {
  const [plain, media, gone, other] = [
    await harness.post(ann, 'plain'),
    await picture(ann),
    await harness.post(ann, 'gone'),
    await harness.post(bob, 'of bob'),
  ]
  const boost = await call(statuses.addReblog, { id: other.id }, harness.as(ann))
  await call(statuses.deleteStatus, { id: gone.id }, harness.as(ann))
  const ids = [plain.id, media.id, gone.id, other.id, boost.id, '5']
  expect((await call(statuses.findModeratedStatuses, { author: ann.id, ids })).statuses).toEqual([
    { id: plain.id, sensitive: false, has_media: false },
    { id: media.id, sensitive: false, has_media: true },
  ])
})

test('a marked status is sensitive for everyone, has a new version, and is sent to remote followers as an edit', async () => {
  const { id, content } = await picture(ann)
  expect(await mark([id])).toEqual([id])
  const shown = await show(id)
  expect(shown).toMatchObject({ sensitive: true, content, spoiler_text: '' })
  expect(shown.media_attachments).toHaveLength(1)
  expect(shown.edited_at).not.toBeNull()
  expect((await history(id)).map((one) => one.sensitive)).toEqual([false, true])
  expect(await announced('edited', id)).toHaveLength(1)
  expect(await mark([id])).toEqual([])
  expect(await history(id)).toHaveLength(2)
})

test('undoing ends the marks of the same decision, once', async () => {
  const [mine, other] = [await picture(ann), await picture(ann, { sensitive: true })]
  expect(await mark([mine.id, other.id], true, 'two')).toEqual([mine.id])
  expect(await mark([mine.id, other.id], false, 'three')).toEqual([])
  expect((await show(mine.id)).sensitive).toBe(true)
  expect(await mark([mine.id, other.id], false, 'two')).toEqual([mine.id])
  expect([(await show(mine.id)).sensitive, (await show(other.id)).sensitive]).toEqual([false, true])
  expect(await mark([mine.id, other.id], false, 'two')).toEqual([])
})

test('undoing leaves a status sensitive that has a content warning', async () => {
  const { id } = await picture(ann)
  await mark([id], true, 'four')
  const media_ids = (await show(id)).media_attachments.map((one) => one.id)
  await call(statuses.editStatus, { id, status: 'x', spoiler_text: 'cw', media_ids }, harness.as(ann))
  expect(await mark([id], false, 'four')).toEqual([])
  expect((await show(id)).sensitive).toBe(true)
})

test('a status whose author ended the mark can be marked again', async () => {
  const { id } = await picture(ann)
  await mark([id], true, 'again')
  const media_ids = (await show(id)).media_attachments.map((one) => one.id)
  await call(statuses.editStatus, { id, status: 'x', sensitive: false, media_ids }, harness.as(ann))
  expect(await mark([id], true, 'again')).toEqual([id])
  expect(await mark([id], false, 'again')).toEqual([id])
  expect((await show(id)).sensitive).toBe(false)
})

test('marking keeps poll and mentions', async () => {
  const poll = { options: ['a', 'b'], expires_in: 3_600 }
  const asked = await harness.post(ann, { status: '@bob which? #birds', poll })
  await call(statuses.vote, { id: asked.poll?.id ?? '', choices: [1] }, harness.as(bob))
  expect(await mark([asked.id], true, 'five')).toEqual([asked.id])
  expect(await show(asked.id)).toMatchObject({
    sensitive: true,
    mentions: [{ acct: 'bob' }],
    tags: [{ name: 'birds' }],
    poll: { votes_count: 1, own_votes: [1] },
  })
})

test('a remote status is marked without a new version', async () => {
  const id = await putRemote()
  expect(await mark([id], true, 'six', dan)).toEqual([id])
  expect(await show(id)).toMatchObject({ sensitive: true, edited_at: null })
  expect(await announced('edited', id)).toEqual([])
  expect(await mark([id], false, 'six', dan)).toEqual([id])
  expect((await show(id)).sensitive).toBe(false)
})

test('statuses of another author are neither marked nor deleted', async () => {
  const { id } = await picture(bob)
  expect([await mark([id]), await remove([id])]).toEqual([[], []])
  expect(await show(id)).toMatchObject({ sensitive: false })
})

test('a status that is marked several times at the same moment gets one version', async () => {
  const { id } = await picture(ann)
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => mark([id], true, 'seven')))
  expect(outcomes.flat()).toEqual([id])
  expect(await history(id)).toHaveLength(2)
})

test('deleted statuses are hidden from everyone and announced once, and their files are released', async () => {
  const [one, two] = [await picture(ann), await harness.post(ann, { status: 'private', visibility: 'private' })]
  const file = one.media_attachments[0]?.id ?? ''
  const deleted = await remove([one.id, two.id, '5'])
  expect(deleted.toSorted()).toEqual([one.id, two.id].toSorted())
  for (const id of deleted) {
    await expect(call(statuses.showStatus, { id }, harness.as(ann))).rejects.toMatchObject({ code: 'not_found' })
    expect(await announced('deleted', id)).toHaveLength(1)
  }
  expect(harness.fakes.files.get(file)?.status ?? null).toBeNull()
  expect(await remove([one.id, two.id])).toEqual([])
  expect(await announced('deleted', one.id)).toHaveLength(1)
})

test('a remote status that staff deleted is not stored again', async () => {
  const status = remoteStatus(dan)
  const { id } = await call(statuses.putRemoteStatus, { status })
  expect(await remove([id ?? ''], dan)).toEqual([id])
  await call(statuses.putRemoteStatus, { status })
  await expect(show(id ?? '')).rejects.toMatchObject({ code: 'not_found' })
  const alive = await harness.cluster
    .db('statuses')
    .rows(sql`select 1 from statuses s join post_uris u on u.status_id = s.id
    where u.uri = ${status.uri} and s.deleted_at is null`)
  expect(alive).toEqual([])
})
