/** Scheduled statuses: list, change, deletion and publication. */
import type { ScheduledStatus } from '@murmuration/contracts/entities'
import { fail } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { publishScheduled } from '../src/scheduled/jobs.js'
import type { FakeAccount } from './fakes/data.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, statuses } from './harness.js'

let harness: Harness
let ann: FakeAccount
beforeAll(async () => {
  harness = await startHarness()
  ann = harness.fakes.fakeAccount('ann')
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const inMinutes = (n: number) => new Date(Date.now() + n * 60_000).toISOString()
const wait = async (input: Record<string, unknown>, who = ann): Promise<ScheduledStatus> =>
  (await call(
    statuses.createStatus,
    { scheduled_at: inMinutes(60), ...input } as never,
    harness.as(who),
  )) as ScheduledStatus
const isDue = (id: string) =>
  harness.cluster.db('statuses').run(sql`update scheduled_statuses set scheduled_at = now() where id = ${id}`)
const timeline = () => call(statuses.accountTimeline, { id: ann.id }, harness.as(ann))

test('S-014 scheduled statuses can be listed, moved and deleted only by their author', async () => {
  const file = harness.fakes.file(ann)
  const waiting = await wait({ status: 'later', visibility: 'unlisted', media_ids: [file.id], spoiler_text: 'cw' })
  await expectGolden('scheduled-status', waiting, harness.cluster.origin, { scheduled: waiting.id, file: file.id })
  expect(await timeline()).toEqual([])
  expect(await call(statuses.listScheduled, {}, harness.as(ann))).toEqual([waiting])
  expect(await call(statuses.showScheduled, { id: waiting.id }, harness.as(ann))).toEqual(waiting)
  const bob = harness.fakes.fakeAccount('bob')
  for (const operation of [statuses.showScheduled, statuses.moveScheduled, statuses.removeScheduled])
    await expect(call(operation, { id: waiting.id } as never, harness.as(bob))).rejects.toMatchObject({ status: 404 })
  expect(await call(statuses.listScheduled, {}, harness.as(bob))).toEqual([])
  const later = inMinutes(120)
  expect(
    (await call(statuses.moveScheduled, { id: waiting.id, scheduled_at: later }, harness.as(ann))).scheduled_at,
  ).toBe(later)
  await expect(
    call(statuses.moveScheduled, { id: waiting.id, scheduled_at: inMinutes(1) }, harness.as(ann)),
  ).rejects.toMatchObject({ message: 'Validation failed: Scheduled at date must be in the future' })
  expect(await call(statuses.removeScheduled, { id: waiting.id }, harness.as(ann))).toEqual({})
  expect(file.status).toBeNull()
})

test('scheduled statuses are validated like immediate ones', async () => {
  await expect(wait({ status: '' })).rejects.toMatchObject({ message: "Validation failed: Text can't be blank" })
  await expect(wait({ status: 'x', scheduled_at: 'soon' })).rejects.toMatchObject({
    status: 422,
    message: 'Record invalid',
  })
  await expect(wait({ status: 'x', scheduled_at: inMinutes(4) })).rejects.toMatchObject({ status: 422 })
  await expect(wait({ status: 'x', in_reply_to_id: '123' })).rejects.toMatchObject({ status: 404 })
  for (const missing of [{ in_reply_to_id: '123' }, { quoted_status_id: '123' }])
    await expect(wait({ status: 'x', scheduled_at: 'tomorrow', ...missing })).rejects.toMatchObject({ status: 404 })
})

test('a status with a past time is published at once', async () => {
  const now = await harness.post(ann, { status: 'now', scheduled_at: inMinutes(-1) })
  expect(now.content).toBe('<p>now</p>')
})

test('S-014 F011 scheduled statuses are published once at their time, with media, app and visibility', async () => {
  const file = harness.fakes.file(ann)
  const waiting = await wait({ status: 'at last', visibility: 'private', media_ids: [file.id] })
  expect(file.status).toBe(waiting.id)
  await isDue(waiting.id)
  await expect.poll(async () => (await timeline())[0]?.content).toBe('<p>at last</p>')
  await harness.cluster.waitForIdle()
  const published = (await timeline()).filter((one) => one.content === '<p>at last</p>')
  expect(published).toMatchObject([{ visibility: 'private', application: { name: 'Test app' } }])
  expect(file.status).toBe(published[0]?.id)
  expect(published[0]?.media_attachments.map((one) => one.id)).toEqual([file.id])
  expect((await harness.home(ann)).map((one) => one.id)).toContain(published[0]?.id)
  await expect(call(statuses.showScheduled, { id: waiting.id }, harness.as(ann))).rejects.toMatchObject({ status: 404 })
})

test('the duration of a poll starts when its scheduled status is published', async () => {
  const poll = { options: ['a', 'b'], expires_in: 3_600, multiple: true, hide_totals: true }
  const waiting = await wait({ status: 'which?', poll })
  expect(waiting).toMatchObject({ params: { poll } })
  await isDue(waiting.id)
  const published = async () => (await timeline()).find((one) => one.content === '<p>which?</p>')
  await expect.poll(published).toMatchObject({
    poll: { multiple: true, options: [{ title: 'a' }, { title: 'b' }] },
  })
  expect(Date.parse((await published())?.poll?.expires_at ?? '') - Date.now()).toBeGreaterThan(3_500_000)
})

const failures = async (id: string) =>
  (
    await harness.cluster
      .db('statuses')
      .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.statuses.scheduled.failed'`)
  )
    .map((row) => JSON.parse(row.data))
    .filter((data) => data.id === id)

test('a reply whose parent is deleted is published without it', async () => {
  const parent = await harness.post(ann, 'parent')
  const file = harness.fakes.file(ann)
  const waiting = await wait({ status: 'orphan reply', in_reply_to_id: parent.id, media_ids: [file.id] })
  await call(statuses.deleteStatus, { id: parent.id }, harness.as(ann))
  await isDue(waiting.id)
  const published = async () => (await timeline()).find((one) => one.content === '<p>orphan reply</p>')
  await expect.poll(published).toMatchObject({ in_reply_to_id: null, media_attachments: [{ id: file.id }] })
  expect(await call(statuses.listScheduled, {}, harness.as(ann))).toEqual([])
  expect(await failures(waiting.id)).toEqual([])
})

test.each(['deleted', 'closed to quotes'])('a quote of a status that is %s stays in the list', async (how) => {
  const writer = harness.fakes.fakeAccount(`quoted${how.length}`)
  const quoted = await harness.post(writer, { status: 'quote me', quote_approval_policy: 'public' })
  const file = harness.fakes.file(ann)
  const waiting = await wait({ status: 'look', quoted_status_id: quoted.id, media_ids: [file.id] })
  if (how === 'deleted') await call(statuses.deleteStatus, { id: quoted.id }, harness.as(writer))
  else
    await call(
      statuses.setInteractionPolicy,
      { id: quoted.id, quote_approval_policy: 'nobody' } as never,
      harness.as(writer),
    )
  await isDue(waiting.id)
  const shown = () => call(statuses.showScheduled, { id: waiting.id }, harness.as(ann))
  const error = 'The post you are trying to quote does not appear to exist.'
  await expect.poll(shown).toMatchObject({ id: waiting.id, error, params: waiting.params })
  expect(await failures(waiting.id)).toMatchObject([{ account: ann.id, reason: 'quote' }])
  expect(file.status).toBe(waiting.id)
  // A new time is a new attempt.
  const again = await call(statuses.moveScheduled, { id: waiting.id, scheduled_at: inMinutes(60) }, harness.as(ann))
  expect(again).not.toHaveProperty('error')
  await isDue(waiting.id)
  await expect.poll(shown).toMatchObject({ error })
  expect(await failures(waiting.id)).toHaveLength(2)
  await call(statuses.removeScheduled, { id: waiting.id }, harness.as(ann))
  expect(file.status).toBeNull()
})

test.each([
  ['suspended', { suspended: true }],
  ['disabled', { disabled: true }],
  ['moved', { moved_to_id: '1' }],
] as const)('a scheduled status of a %s author stays in the list', async (state, change) => {
  const author = harness.fakes.fakeAccount(`paused_${state}`)
  const waiting = await wait({ status: 'later' }, author)
  Object.assign(author, change)
  await isDue(waiting.id)
  await expect.poll(() => failures(waiting.id)).toMatchObject([{ account: author.id, reason: 'other' }])
})

test('a scheduled status that cannot be published for long stays in the list after the last try', async () => {
  const parent = await harness.post(ann, 'parent of a late reply')
  const waiting = await wait({ status: 'another service is away', in_reply_to_id: parent.id })
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const away: Context = Object.assign(Object.create(ctx), {
    call: () => Promise.reject(fail('unavailable', 'The service is away')),
  })
  const publish = (tries: number) => publishScheduled.run(away, { id: waiting.id }, { id: 'x', tries })
  // The tick that queues the job marks the row.
  const queue = () =>
    harness.cluster.db('statuses').run(sql`update scheduled_statuses set queued_at = now() where id = ${waiting.id}`)
  await queue()
  const last = statuses.publishScheduled.retry.times
  await expect(publish(last - 1)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await failures(waiting.id)).toEqual([])
  // A status with a new time is left alone by a job for the old time, also by its last try.
  const move = () => call(statuses.moveScheduled, { id: waiting.id, scheduled_at: inMinutes(60) }, harness.as(ann))
  await move()
  for (const tries of [1, last]) await publish(tries)
  await publishScheduled.run(ctx, { id: waiting.id }, { id: 'x', tries: 1 })
  expect(await failures(waiting.id)).toEqual([])
  expect(await call(statuses.showScheduled, { id: waiting.id }, harness.as(ann))).not.toHaveProperty('error')
  await queue()
  await publish(last)
  const shown = () => call(statuses.showScheduled, { id: waiting.id }, harness.as(ann))
  expect(await shown()).toMatchObject({ error: 'The post could not be published.', params: waiting.params })
  expect(await failures(waiting.id)).toMatchObject([{ account: ann.id, reason: 'other' }])
  await move()
  await isDue(waiting.id)
  const published = async () => (await timeline()).find((one) => one.content === '<p>another service is away</p>')
  await expect.poll(published).toMatchObject({ in_reply_to_id: parent.id })
})

test('a scheduled status whose job crashed processes is marked as failed, and is published once if the job is restored', async () => {
  const waiting = await wait({ status: 'a job that crashes' })
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const queue = () =>
    harness.cluster.db('statuses').run(sql`update scheduled_statuses set queued_at = now() where id = ${waiting.id}`)
  const shown = () => call(statuses.showScheduled, { id: waiting.id }, harness.as(ann))
  const early = ctx.ids.next()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await queue()
  // The job is older than the present time of the status, which another job publishes.
  await publishScheduled.gaveUp?.(ctx, { id: waiting.id }, { id: early })
  expect(await shown()).not.toHaveProperty('error')
  await new Promise((resolve) => setTimeout(resolve, 5))
  const job = ctx.ids.next()
  for (let times = 0; times < 2; times++) await publishScheduled.gaveUp?.(ctx, { id: waiting.id }, { id: job })
  expect(await shown()).toMatchObject({ error: 'The post could not be published.' })
  expect(await failures(waiting.id)).toMatchObject([{ account: ann.id, reason: 'other' }])
  await publishScheduled.run(ctx, { id: waiting.id }, { id: job, tries: 2 })
  expect(await shown()).toMatchObject({ error: 'The post could not be published.' })
  const restored = publishScheduled.restored?.({ id: waiting.id })
  for (let times = 0; times < 2; times++) await publishScheduled.run(ctx, restored, { id: job, tries: 1 })
  await expect(shown()).rejects.toMatchObject({ code: 'not_found' })
  expect((await timeline()).filter((one) => one.content === '<p>a job that crashes</p>')).toHaveLength(1)
})

test('a scheduled reply to a boost, or a quote of one, names the original, and is published after the boost is undone', async () => {
  const bea = harness.fakes.fakeAccount('bea')
  const original = await harness.post(bea, 'boosted')
  const boost = await call(statuses.addReblog, { id: original.id }, harness.as(bea))
  const reply = await wait({ status: 'replies to a boost', in_reply_to_id: boost.id })
  const quote = await wait({ status: 'quotes a boost', quoted_status_id: boost.id })
  expect([reply.params.in_reply_to_id, quote.params.quoted_status_id]).toEqual([original.id, original.id])
  await call(statuses.removeReblog, { id: original.id }, harness.as(bea))
  await isDue(reply.id)
  await isDue(quote.id)
  const published = async (text: string) => (await timeline()).find((one) => one.content.includes(text))
  await expect.poll(() => published('replies to a boost')).toMatchObject({ in_reply_to_id: original.id })
  await expect
    .poll(() => published('quotes a boost'))
    .toMatchObject({ quote: { state: 'accepted', quoted_status: { id: original.id } } })
})

test('a repeated idempotency key returns the same scheduled status', async () => {
  const write = () =>
    call(statuses.createStatus, { status: 'keyed', scheduled_at: inMinutes(30) }, harness.as(ann), {
      idempotencyKey: 'k',
    })
  const all = await Promise.all([write(), write(), write()])
  expect(new Set(all.map((one) => one.id)).size).toBe(1)
})

test('an account has at most twenty-five scheduled statuses on one day', async () => {
  const eager = harness.fakes.fakeAccount('eager')
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const at = (i: number) => `${day}T12:${String(i).padStart(2, '0')}:00Z`
  const all = await Promise.allSettled(
    Array.from({ length: 27 }, (_, i) => wait({ status: `${i}`, scheduled_at: at(i) }, eager)),
  )
  expect(all.filter((one) => one.status === 'fulfilled').length).toBe(25)
  await expect(wait({ status: 'x', scheduled_at: at(40) }, eager)).rejects.toMatchObject({
    message: 'Validation failed: You have exceeded the limit of 25 scheduled posts for today',
  })
})
