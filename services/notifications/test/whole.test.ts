/** Notifications with the real accounts and statuses: created by activities, and deleted when these are undone. */
import { app as accounts } from '@murmuration/accounts'
import { accountCreateByOperator, blockCreate, followCreate, followRemove } from '@murmuration/contracts/accounts'
import type { Notification } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { listNotifications } from '@murmuration/contracts/notifications'
import {
  addFavourite,
  addReblog,
  createStatus,
  deleteStatus,
  muteThread,
  removeFavourite,
  removeReblog,
} from '@murmuration/contracts/statuses'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
let alice: Viewer
let bob: Viewer
let carol: Viewer
const person = async (username: string) => {
  const email = `${username}@mail.example`
  return viewer((await cluster.call(accountCreateByOperator, { username, email, confirmed: true })).id)
}
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, statuses, app] })
  alice = await person('alice')
  bob = await person('bob')
  carol = await person('carol')
})
afterAll(() => cluster.stop())

const notificationsOf = async (who: Viewer): Promise<Notification[]> => {
  await cluster.settle()
  return cluster.call(listNotifications, {}, who)
}
const types = async (who: Viewer) => (await notificationsOf(who)).map((one) => `${one.type} ${one.account.username}`)
const post = (who: Viewer, status: string, more: object = {}) => cluster.call(createStatus, { status, ...more }, who)

test('activities are notified once, with their status, and removed when undone', async () => {
  await cluster.call(followCreate, { id: alice.id, notify: true }, bob)
  expect(await types(alice)).toEqual(['follow bob'])
  const status = await post(alice, 'Hello @carol')
  expect(await types(carol)).toEqual(['mention alice'])
  expect(await types(bob)).toEqual(['status alice'])
  await cluster.call(addFavourite, { id: status.id }, bob)
  await cluster.call(addFavourite, { id: status.id }, bob)
  // Simultaneous events may be stored in either order.
  await cluster.settle()
  await cluster.call(addReblog, { id: status.id }, carol)
  const list = await notificationsOf(alice)
  expect(list.map((one) => one.type)).toEqual(['reblog', 'favourite', 'follow'])
  expect(list[1]).toMatchObject({ account: { username: 'bob' }, status: { id: status.id, favourites_count: 1 } })
  await cluster.call(removeFavourite, { id: status.id }, bob)
  await cluster.call(removeReblog, { id: status.id }, carol)
  await cluster.call(followRemove, { id: alice.id }, bob)
  expect(await types(alice)).toEqual([])
  await cluster.call(deleteStatus, { id: status.id }, alice)
  expect(await types(carol)).toEqual([])
  expect(await types(bob)).toEqual([])
})

test('blocks and muted threads prevent notifications', async () => {
  const status = await post(alice, 'Loud thread')
  await cluster.call(muteThread, { id: status.id }, alice)
  await cluster.call(addFavourite, { id: status.id }, bob)
  await cluster.call(blockCreate, { id: carol.id }, alice)
  await post(carol, 'Hey @alice')
  await post(bob, 'Hey @alice and @carol')
  expect(await types(alice)).toEqual([])
  await post(bob, 'Hey @alice')
  expect(await types(alice)).toEqual(['mention bob'])
})

test('A044 a private mention by an unrelated account waits, a reply to an own status does not', async () => {
  await post(carol, 'psst @bob', { visibility: 'direct' })
  expect((await types(bob)).includes('mention carol')).toBe(false)
  const own = await post(bob, 'psst @carol', { visibility: 'direct' })
  await post(carol, '@bob what?', { visibility: 'direct', in_reply_to_id: own.id })
  expect((await types(bob))[0]).toBe('mention carol')
})
