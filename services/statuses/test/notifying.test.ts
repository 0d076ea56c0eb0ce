/** Operations for notifications: thread mutes, direct messages in a thread, and local boosts. */
import {
  addReblog,
  localBoosters,
  localBoosts,
  muteThread,
  removeReblog,
  threadStates,
} from '@murmuration/contracts/statuses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

test('A044 only an account that wrote a direct status to the sender above counts, not one that was mentioned', async () => {
  const [ann, bob, cat] = ['ann', 'bob', 'cat'].map((name) => harness.fakes.fakeAccount(name))
  const first = await harness.post(ann!, { status: '@bob @cat secret', visibility: 'direct' })
  const second = await harness.post(bob!, { status: '@ann @cat yes', visibility: 'direct', in_reply_to_id: first.id })
  const third = await harness.post(cat!, { status: '@ann @bob no', visibility: 'direct', in_reply_to_id: second.id })
  const request = (status: string, sender: string) =>
    harness.cluster.call(threadStates, { status, sender, viewers: [ann!.id, bob!.id, cat!.id] })
  expect((await request(third.id, cat!.id)).wrote.toSorted()).toEqual([ann!.id, bob!.id].toSorted())
  expect((await request(third.id, ann!.id)).wrote).toEqual([bob!.id])
  expect(await request(first.id, ann!.id)).toEqual({ muted: [], wrote: [] })
  await harness.cluster.call(muteThread, { id: first.id }, harness.as(bob!))
  expect((await request(third.id, cat!.id)).muted).toEqual([bob!.id])
  const open = await harness.post(ann!, { status: '@bob hello' })
  const answer = await harness.post(bob!, { status: '@ann hi', visibility: 'direct', in_reply_to_id: open.id })
  expect((await request(answer.id, bob!.id)).wrote).toEqual([])
  expect(await request('0', bob!.id)).toEqual({ muted: [], wrote: [] })
})

test('local accounts that boosted a status are returned by page', async () => {
  const [ann, bob, cat] = ['dan', 'eve', 'fay'].map((name) => harness.fakes.fakeAccount(name))
  const status = await harness.post(ann!, 'share me')
  for (const one of [bob, cat]) await harness.cluster.call(addReblog, { id: status.id }, harness.as(one!))
  const page = (after?: string) => harness.cluster.call(localBoosters, { status: status.id, after, limit: 1 })
  const first = await page()
  expect(first.accounts).toEqual([bob!.id])
  const second = await page(first.next ?? '')
  expect(second.accounts).toEqual([cat!.id])
  expect(await page(second.next ?? '')).toEqual({ accounts: [], next: null })
})

test('boosts of a status by local accounts are listed newest first, without deleted ones', async () => {
  const [ann, bob, cat] = ['gus', 'hal', 'ida'].map((name) => harness.fakes.fakeAccount(name))
  const status = await harness.post(ann!, 'share me too')
  for (const one of [bob, cat, ann]) await harness.cluster.call(addReblog, { id: status.id }, harness.as(one!))
  const list = async (limit: number) => (await harness.cluster.call(localBoosts, { status: status.id, limit })).boosts
  expect((await list(10)).map((it) => [it.author, it.reblog_of])).toEqual(
    [ann, cat, bob].map((one) => [one!.id, status.id]),
  )
  expect((await list(1)).map((it) => it.author)).toEqual([ann!.id])
  const byCat = { status: status.id, limit: 10, author: cat!.id }
  expect((await harness.cluster.call(localBoosts, byCat)).boosts.map((it) => it.author)).toEqual([cat!.id])
  await harness.cluster.call(removeReblog, { id: status.id }, harness.as(cat!))
  expect((await harness.cluster.call(localBoosts, byCat)).boosts).toEqual([])
  expect((await list(10)).map((it) => it.author)).toEqual([ann!.id, bob!.id])
})
