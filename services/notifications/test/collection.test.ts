/** Notifications of collections, with the real accounts service: being added, changes, and leaving. */
import { app as accounts } from '@murmuration/accounts'
import {
  addCollectionItem,
  createAccountByOperator,
  createBlock,
  createCollection,
  removeCollection,
  revokeCollectionItem,
  updateCollection,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { changePolicy, listGroups, listNotifications, listRequests } from '@murmuration/contracts/notifications'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
let alice: Viewer
let bob: Viewer
let carol: Viewer
const fakeAccount = async (username: string) => {
  const email = `${username}@mail.example`
  const made = viewer((await cluster.call(createAccountByOperator, { username, email, confirmed: true })).id)
  await cluster.call(updateCredentials, { discoverable: true }, made)
  return made
}
beforeAll(async () => {
  cluster = await startCluster({ apps: [accounts, app] })
  alice = await fakeAccount('alice')
  bob = await fakeAccount('bob')
  carol = await fakeAccount('carol')
})
afterAll(() => cluster.stop())

const notificationsOf = async (who: Viewer, more: object = {}) => {
  await cluster.waitForIdle()
  return cluster.call(listNotifications, more, who)
}
const types = async (who: Viewer) => (await notificationsOf(who)).map((one) => one.type)

test('S-071 an account in a collection is notified of it and of its changes until it is removed', async () => {
  const { collection } = await cluster.call(createCollection, { name: 'Birds', account_ids: [bob.id] }, alice)
  await cluster.call(addCollectionItem, { collection_id: collection.id, account_id: carol.id }, alice)
  await cluster.call(addCollectionItem, { collection_id: collection.id, account_id: alice.id }, alice)
  expect(await types(alice)).toEqual([])
  expect((await notificationsOf(bob))[0]).toMatchObject({
    type: 'added_to_collection',
    account: { id: alice.id },
    collection: { id: collection.id, name: 'Birds', item_count: 3 },
  })
  expect((await notificationsOf(bob, { supported_types: ['mention'] }))[0]?.fallback).toMatchObject({
    title: 'alice added you to a collection',
  })
  await cluster.call(updateCollection, { id: collection.id, name: 'Owls' }, alice)
  await cluster.call(updateCollection, { id: collection.id, description: 'By night' }, alice)
  expect(await types(bob)).toEqual(['collection_update', 'added_to_collection'])
  expect((await notificationsOf(bob))[0]).toMatchObject({ collection: { name: 'Owls', description: 'By night' } })
  const groups = await cluster.call(listGroups, {}, bob)
  expect(groups.notification_groups[0]).toMatchObject({
    type: 'collection_update',
    collection: { id: collection.id, name: 'Owls' },
  })

  const own = collection.items[0]?.id ?? ''
  await cluster.call(revokeCollectionItem, { collection_id: collection.id, id: own }, bob)
  expect(await types(bob)).toEqual([])
  expect(await types(carol)).toEqual(['collection_update', 'added_to_collection'])
  await cluster.call(removeCollection, { id: collection.id }, alice)
  expect(await types(carol)).toEqual([])
})

test('being added is subject to the policy without a request; a block ends all notifications of it', async () => {
  await cluster.call(changePolicy, { for_not_following: 'filter' }, carol)
  const { collection } = await cluster.call(createCollection, { name: 'Plants', account_ids: [carol.id] }, alice)
  expect(await types(carol)).toEqual([])
  expect((await notificationsOf(carol, { include_filtered: true })).map((one) => one.filtered)).toEqual([true])
  expect(await cluster.call(listRequests, {}, carol)).toEqual([])
  // Notifications of changes are never filtered.
  await cluster.call(updateCollection, { id: collection.id, name: 'Friends' }, alice)
  expect(await types(carol)).toEqual(['collection_update'])
  await cluster.call(createBlock, { id: alice.id }, carol)
  expect(await notificationsOf(carol, { include_filtered: true })).toEqual([])
})
