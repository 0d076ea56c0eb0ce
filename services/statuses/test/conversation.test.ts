/** Direct conversations: built from direct statuses, also if events are repeated or received in another order. */
import { sql } from '@murmuration/db'
import { liveListener } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../src/context.js'
import { assignConversations } from '../src/conversation/assign.js'
import type { FakeAccount } from './fakes/data.js'
import { accounts, type Harness, startHarness, statuses } from './harness.js'

const heard: string[] = []
const listener = liveListener<{ e: string; id?: string }>('live.user.*', ({ e, id }, subject) => {
  if (e === 'conversation') heard.push(`${subject.replace('live.user.', '')} ${id}`)
})

let harness: Harness
let ann: FakeAccount
let bob: FakeAccount
let cat: FakeAccount
beforeAll(async () => {
  harness = await startHarness({}, [listener])
})
beforeEach(async () => {
  const n = Math.random().toString(36).slice(2, 7)
  ann = harness.fakes.fakeAccount(`ann${n}`)
  bob = harness.fakes.fakeAccount(`bob${n}`)
  cat = harness.fakes.fakeAccount(`cat${n}`)
  for (const one of [ann, bob]) await harness.present(one)
  heard.length = 0
})
afterAll(() => harness.stop())

const call = ((...given) => harness.cluster.call(...given)) as Harness['cluster']['call']
const list = async (who: FakeAccount, page: Record<string, unknown> = {}) => {
  await harness.cluster.waitForIdle()
  return call(statuses.listConversations, page as never, harness.as(who))
}
const seen = async (who: FakeAccount) =>
  (await list(who)).map((one) => [one.accounts.map((account) => account.id), one.last_status?.id, one.unread])
const direct = (from: FakeAccount, to: FakeAccount[], more: Record<string, unknown> = {}) =>
  harness.post(from, { status: `${to.map((one) => `@${one.username}`).join(' ')} psst`, visibility: 'direct', ...more })

test('S-095 each account of a direct status has a conversation with the others; a note to oneself has only its author', async () => {
  const first = await direct(ann, [bob])
  expect(await seen(ann)).toEqual([[[bob.id], first.id, false]])
  expect(await seen(bob)).toEqual([[[ann.id], first.id, true]])
  expect(await seen(cat)).toEqual([])
  const alone = await harness.post(cat, { status: 'note to self', visibility: 'direct' })
  expect(await seen(cat)).toEqual([[[cat.id], alone.id, false]])
})

test('a reply updates the conversation, and other participants make another one', async () => {
  const first = await direct(ann, [bob])
  const reply = await direct(bob, [ann], { in_reply_to_id: first.id })
  expect(await seen(ann)).toEqual([[[bob.id], reply.id, true]])
  expect(await seen(bob)).toEqual([[[ann.id], reply.id, false]])
  const three = await direct(ann, [bob, cat], { in_reply_to_id: reply.id })
  expect(await seen(cat)).toEqual([[[ann.id, bob.id].sort(), three.id, true]])
  expect((await seen(bob)).map(([fakeAccounts]) => fakeAccounts)).toEqual([[ann.id, cat.id], [ann.id]])
})

test('each owner receives events with the id of their own conversation, and no others do', async () => {
  await direct(ann, [bob, cat])
  const [mine, theirs] = [(await list(ann))[0], (await list(bob))[0]]
  expect(heard.sort()).toEqual([`${ann.id} ${mine?.id}`, `${bob.id} ${theirs?.id}`].sort())
  expect(
    (
      await call(statuses.conversationCards, {
        viewer: ann.id,
        ids: [mine?.id ?? '', theirs?.id ?? ''],
        grant: harness.cluster.grant(ann.id),
      })
    ).size,
  ).toBe(1)
})

test('an owner marks a conversation as read and unread for all devices', async () => {
  await direct(ann, [bob])
  const { id } = (await list(bob))[0] ?? { id: '' }
  heard.length = 0
  expect(await call(statuses.readConversation, { id }, harness.as(bob))).toMatchObject({ id, unread: false })
  expect(await call(statuses.unreadConversation, { id }, harness.as(bob))).toMatchObject({ id, unread: true })
  await harness.cluster.waitForIdle()
  expect(heard).toEqual([`${bob.id} ${id}`, `${bob.id} ${id}`])
  for (const operation of [statuses.readConversation, statuses.unreadConversation, statuses.removeConversation])
    await expect(call(operation, { id }, harness.as(ann))).rejects.toMatchObject({ status: 404 })
})

test('a removed conversation is created again with the next status', async () => {
  const first = await direct(ann, [bob])
  const { id } = (await list(bob))[0] ?? { id: '' }
  expect(await call(statuses.removeConversation, { id }, harness.as(bob))).toEqual({})
  expect(await list(bob)).toEqual([])
  const next = await direct(ann, [bob], { in_reply_to_id: first.id })
  expect(await seen(bob)).toEqual([[[ann.id], next.id, true]])
  expect((await seen(ann)).length).toBe(1)
})

test('an edit does not bring a deleted conversation back, and adds it for newly mentioned accounts', async () => {
  const first = await direct(ann, [bob])
  const { id } = (await list(bob))[0] ?? { id: '' }
  await call(statuses.removeConversation, { id }, harness.as(bob))
  const edit = (text: string) => call(statuses.editStatus, { id: first.id, status: text }, harness.as(ann))
  await edit(`@${bob.username} corrected`)
  expect(await list(bob)).toEqual([])
  await edit(`@${bob.username} @${cat.username} corrected`)
  expect(await list(bob)).toEqual([])
  expect(await seen(cat)).toEqual([[[ann.id, bob.id].sort(), first.id, true]])
  expect(await seen(ann)).toEqual([[[bob.id, cat.id].sort(), first.id, false]])
  await edit(`@${cat.username} corrected`)
  await edit(`@${cat.username} @${bob.username} corrected`)
  expect(await seen(bob)).toEqual([[[ann.id, cat.id].sort(), first.id, true]])
})

test('deleting a status moves the conversation back, and deleting the last one deletes it', async () => {
  const first = await direct(ann, [bob])
  const reply = await direct(bob, [ann], { in_reply_to_id: first.id })
  await list(ann)
  heard.length = 0
  await call(statuses.deleteStatus, { id: reply.id }, harness.as(bob))
  expect((await seen(ann))[0]?.[1]).toBe(first.id)
  expect(heard.length).toBe(2)
  await call(statuses.deleteStatus, { id: first.id }, harness.as(ann))
  expect([await list(ann), await list(bob)]).toEqual([[], []])
})

test('a conversation is read after its unread status was deleted, if its owner wrote the status before', async () => {
  const first = await direct(ann, [bob])
  const reply = await direct(bob, [ann], { in_reply_to_id: first.id })
  const third = await direct(ann, [bob], { in_reply_to_id: reply.id })
  expect(await seen(bob)).toEqual([[[ann.id], third.id, true]])
  await call(statuses.deleteStatus, { id: third.id }, harness.as(ann))
  expect(await seen(bob)).toEqual([[[ann.id], reply.id, false]])
  expect(await seen(ann)).toEqual([[[bob.id], reply.id, false]])
  await call(statuses.deleteStatus, { id: reply.id }, harness.as(bob))
  const last = await direct(ann, [bob], { in_reply_to_id: first.id })
  expect(await seen(bob)).toEqual([[[ann.id], last.id, true]])
  await call(statuses.deleteStatus, { id: last.id }, harness.as(ann))
  expect(await seen(bob)).toEqual([[[ann.id], first.id, true]])
})

test('an unread conversation stays unread after a status was deleted that was not its last one', async () => {
  const first = await direct(ann, [bob])
  const second = await direct(ann, [bob], { in_reply_to_id: first.id })
  const { id } = (await list(ann))[0] ?? { id: '' }
  await call(statuses.unreadConversation, { id }, harness.as(ann))
  await call(statuses.deleteStatus, { id: first.id }, harness.as(ann))
  expect(await seen(ann)).toEqual([[[bob.id], second.id, true]])
})

test('filing a status again, late or in another order changes nothing', async () => {
  const first = await direct(ann, [bob])
  const reply = await direct(bob, [ann], { in_reply_to_id: first.id })
  const before = [await seen(ann), await seen(bob)]
  heard.length = 0
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const whole = { ...ctx, ...(await contextOf()) } as Context
  for (const id of [reply.id, first.id, reply.id]) await assignConversations(whole, id)
  expect([await seen(ann), await seen(bob)]).toEqual(before)
  expect(heard).toEqual([])
})

test('a status that is filed after the answer of its reader stays read, and another one becomes unread', async () => {
  const first = await direct(ann, [bob])
  const second = await direct(ann, [bob], { in_reply_to_id: first.id })
  const reply = await direct(bob, [ann], { in_reply_to_id: first.id })
  await harness.cluster.waitForIdle()
  const ctx = harness.cluster.host.running.find((one) => one.service === 'statuses')?.ctx as unknown as Context
  const whole = { ...ctx, ...(await contextOf()) } as Context
  const fileAgain = async (id: string) => {
    await ctx.db.run(sql`delete from conversation_statuses where status_id = ${id}`)
    await ctx.db.run(sql`update conversations set unread = false where account_id = ${bob.id}`)
    await assignConversations(whole, id)
    return seen(bob)
  }
  expect(await fileAgain(first.id)).toEqual([[[ann.id], reply.id, false]])
  expect(await fileAgain(second.id)).toEqual([[[ann.id], reply.id, true]])
})

/** Parts of the context that the change needs in addition to the base. */
const contextOf = async () => {
  const { openRedis } = await import('@murmuration/cache')
  return { redis: await openRedis({ url: harness.cluster.env.REDIS_URL ?? '', name: 'test' }) }
}

test('an edit that mentions another account files the status for that account too', async () => {
  const first = await direct(ann, [bob])
  await list(bob)
  await call(statuses.editStatus, { id: first.id, status: `@${bob.username} @${cat.username} psst` }, harness.as(ann))
  expect(await seen(cat)).toEqual([[[ann.id, bob.id].sort(), first.id, true]])
  expect(await seen(bob)).toEqual([[[ann.id, cat.id].sort(), first.id, true]])
})

test('blocks, and mutes with notifications, prevent conversations, and a block deletes existing ones', async () => {
  await direct(ann, [bob])
  expect((await list(bob)).length).toBe(1)
  harness.fakes.block(bob, ann)
  await harness.happen(accounts.blockCreated, {
    id: '1',
    from: bob.id,
    to: ann.id,
    fromLocal: true,
    toLocal: true,
    uri: null,
  })
  expect(await list(bob)).toEqual([])
  harness.fakes.mute(cat, ann)
  await direct(ann, [cat])
  expect(await list(cat)).toEqual([])
  expect((await list(ann)).length).toBe(2)
  harness.fakes.mute(cat, bob, false)
  const { id } = await direct(bob, [cat])
  expect(await seen(cat)).toEqual([[[bob.id], id, true]])
})

test('pages are sorted by the last status, with links only if there may be more', async () => {
  const all: string[] = []
  for (let i = 0; i < 5; i++) all.unshift((await direct(ann, [bob])).id)
  const ids = async (page: Record<string, unknown>) => {
    await harness.cluster.waitForIdle()
    const answer = await harness.cluster.request(statuses.listConversations, page as never, harness.as(ann))
    const body = JSON.parse(new TextDecoder().decode(answer.bytes)) as { last_status: { id: string } }[]
    return { ids: body.map((one) => one.last_status.id), next: answer.meta.next, prev: answer.meta.prev }
  }
  expect(await ids({ limit: 2 })).toEqual({ ids: all.slice(0, 2), next: { max_id: all[1] }, prev: { min_id: all[0] } })
  expect(await ids({ limit: 2, max_id: all[1] })).toMatchObject({ ids: all.slice(2, 4) })
  expect(await ids({ limit: 2, min_id: all[3] })).toMatchObject({ ids: all.slice(1, 3) })
  expect(await ids({ max_id: all[3] })).toEqual({ ids: [all[4]], next: null, prev: { min_id: all[4] } })
  const timeline = await call(statuses.directTimeline, { limit: 3 }, harness.as(ann))
  expect(timeline.map((one) => one.id)).toEqual(all.slice(0, 3))
  expect(await call(statuses.directTimeline, {}, harness.as(cat))).toEqual([])
})

test('removing an account deletes its conversations, and keeps the statuses of others', async () => {
  const first = await direct(ann, [bob])
  const reply = await direct(bob, [ann], { in_reply_to_id: first.id })
  await list(ann)
  await harness.happen(accounts.accountRemoved, { id: ann.id, local: true, uri: ann.uri })
  expect(await list(ann)).toEqual([])
  expect((await seen(bob)).map(([, last]) => last)).toEqual([reply.id])
})
