/** Notifications with the real accounts and statuses: created by activities, and deleted when these are undone. */
import { app as accounts } from '@murmuration/accounts'
import { createAccountByOperator, createBlock, createFollow, removeFollow } from '@murmuration/contracts/accounts'
import type { Notification, Status } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { listNotifications } from '@murmuration/contracts/notifications'
import {
  addFavourite,
  addReblog,
  createStatus,
  deleteStatus,
  editStatus,
  muteThread,
  removeFavourite,
  removeReblog,
  vote,
} from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { app as statuses } from '@murmuration/statuses'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
let alice: Viewer
let bob: Viewer
let carol: Viewer
const fakeAccount = async (username: string) => {
  const email = `${username}@mail.example`
  return viewer((await cluster.call(createAccountByOperator, { username, email, confirmed: true })).id)
}
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, statuses, app] })
  alice = await fakeAccount('alice')
  bob = await fakeAccount('bob')
  carol = await fakeAccount('carol')
})
afterAll(() => cluster.stop())

const notificationsOf = async (who: Viewer): Promise<Notification[]> => {
  await cluster.waitForIdle()
  return cluster.call(listNotifications, {}, who)
}
const types = async (who: Viewer) => (await notificationsOf(who)).map((one) => `${one.type} ${one.account.username}`)
const post = (who: Viewer, status: string, more: object = {}) => cluster.call(createStatus, { status, ...more }, who)

test('activities are notified once, with their status, and removed when undone', async () => {
  await cluster.call(createFollow, { id: alice.id, notify: true }, bob)
  expect(await types(alice)).toEqual(['follow bob'])
  const status = await post(alice, 'Hello @carol')
  expect(await types(carol)).toEqual(['mention alice'])
  expect(await types(bob)).toEqual(['status alice'])
  await cluster.call(addFavourite, { id: status.id }, bob)
  await cluster.call(addFavourite, { id: status.id }, bob)
  // Simultaneous events may be stored in either order.
  await cluster.waitForIdle()
  await cluster.call(addReblog, { id: status.id }, carol)
  const list = await notificationsOf(alice)
  expect(list.map((one) => one.type)).toEqual(['reblog', 'favourite', 'follow'])
  expect(list[1]).toMatchObject({ account: { username: 'bob' }, status: { id: status.id, favourites_count: 1 } })
  await cluster.call(removeFavourite, { id: status.id }, bob)
  await cluster.call(removeReblog, { id: status.id }, carol)
  await cluster.call(removeFollow, { id: alice.id }, bob)
  expect(await types(alice)).toEqual([])
  await cluster.call(deleteStatus, { id: status.id }, alice)
  expect(await types(carol)).toEqual([])
  expect(await types(bob)).toEqual([])
})

test('blocks and muted threads prevent notifications', async () => {
  const status = await post(alice, 'Loud thread')
  await cluster.call(muteThread, { id: status.id }, alice)
  await cluster.call(addFavourite, { id: status.id }, bob)
  await cluster.call(createBlock, { id: carol.id }, alice)
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

test('an edit that resets an ended poll removes its notifications, and only new voters are notified of the next end', async () => {
  const [asker, once, twice] = [await fakeAccount('asker'), await fakeAccount('once'), await fakeAccount('twice')]
  const options = (...titles: string[]) => ({ status: 'Which?', poll: { options: titles, expires_in: 600 } })
  const { id, poll } = (await cluster.call(createStatus, options('a', 'b'), asker)) as Status
  const pollId = poll?.id ?? ''
  const end = async () => {
    await cluster
      .db('statuses')
      .run(sql`update polls set expires_at = now() - interval '1 second' where id = ${pollId}`)
    const ctx = cluster.host.running.find((one) => one.service === 'statuses')?.ctx
    await statuses.manifest.ticks?.find((one) => one.name === 'statuses.end-polls')?.run(ctx)
  }
  const isNotified = async (who: Viewer) => (await types(who)).includes('poll asker')
  for (const voter of [once, twice]) await cluster.call(vote, { id: pollId, choices: ['0'] }, voter)
  await end()
  for (const who of [asker, once, twice]) await expect.poll(() => isNotified(who)).toBe(true)
  await cluster.call(editStatus, { id, ...options('c', 'd') }, asker)
  for (const who of [asker, once, twice]) expect(await isNotified(who)).toBe(false)
  await cluster.call(vote, { id: pollId, choices: ['1'] }, twice)
  await end()
  for (const who of [asker, twice]) await expect.poll(() => isNotified(who)).toBe(true)
  expect(await isNotified(once)).toBe(false)
})
