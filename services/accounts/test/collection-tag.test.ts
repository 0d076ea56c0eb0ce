/** Tests of the hashtags that collections may not have, and remote collections do not show, because staff made them unusable. */
import {
  collectionCards,
  collectionRecords,
  collectionsOfAccount,
  createAccountByOperator,
  createCollection,
  putRemoteCollection,
  showCollection,
  updateCollection,
} from '@murmuration/contracts/accounts'
import { internal, operation, type Viewer } from '@murmuration/contracts/kit'
import { unusableTagsListed } from '@murmuration/contracts/statuses'
import { sql } from '@murmuration/db'
import { type App, type BaseContext, handlersFor, service } from '@murmuration/kernel'
import { type Cluster, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { app } from '../src/main.js'

const announceList = operation('statuses.test.announce-list', {
  viewer: internal(),
  input: unusableTagsListed.data,
  output: z.object({}),
  about: 'Announces a list of unusable hashtags.',
})
const { handle } = handlersFor<BaseContext>()
const statuses: App = {
  manifest: service('statuses', {
    operations: [
      handle(announceList, async (ctx, _viewer, list) => {
        await ctx.db.tx((tx) => ctx.announce(tx, unusableTagsListed, list))
        return {}
      }),
    ],
    announces: [unusableTagsListed],
    roles: { api: { operations: true, ticks: true, scales: '', needs: [] } },
  }),
  createContext: (base) => base,
}

let cluster: Cluster
let alice: Viewer
beforeAll(async () => {
  cluster = await startCluster({ apps: [app, statuses] })
  const input = { username: 'alice', email: 'a@mail.example', confirmed: true }
  alice = viewer((await cluster.call(createAccountByOperator, input)).id)
})
afterAll(() => cluster.stop())

const announce = async (minute: number, ...names: string[]) => {
  const listedAt = new Date(Date.UTC(2026, 1, 3, 4, minute)).toISOString()
  await cluster.call(announceList, { names, listedAt })
  await cluster.waitForIdle()
}
const create = (tag_name: string, more: { idempotencyKey?: string } = {}) =>
  cluster.call(createCollection, { name: 'Birds', tag_name }, alice, more)
const change = (id: string, input: object) => cluster.call(updateCollection, { id, ...input }, alice)
const details = { tag: [{ error: 'ERR_INVALID', description: 'may not be used' }] }
const refused = {
  status: 422,
  extras: { body: { error: { error: 'Validation failed: Tag may not be used', details } } },
}

test('each hashtag is accepted before the first list', async () => {
  expect((await create('Rain')).collection.tag).toMatchObject({ name: 'rain' })
})

test('an unusable hashtag is refused in new and changed collections, in any spelling', async () => {
  const { collection } = await create('snow')
  await announce(5, 'rain', 'hail')
  for (const name of ['rain', '#Rain', ' ＲＡＩＮ ']) await expect(create(name)).rejects.toMatchObject(refused)
  await expect(change(collection.id, { tag_name: 'Hail' })).rejects.toMatchObject(refused)
  expect((await change(collection.id, { tag_name: 'rainbow' })).collection.tag).toMatchObject({ name: 'rainbow' })
})

test('a collection whose hashtag became unusable can be changed only together with its hashtag', async () => {
  await announce(6)
  const { collection } = await create('rain')
  await announce(7, 'rain')
  await expect(change(collection.id, { name: 'Owls' })).rejects.toMatchObject(refused)
  const changed = await change(collection.id, { name: 'Owls', tag_name: '' })
  expect(changed.collection).toMatchObject({ name: 'Owls', tag: null })
})

test('a repeated request with an Idempotency-Key returns its collection, also if the hashtag became unusable', async () => {
  await announce(8)
  const first = await create('rain', { idempotencyKey: 'k1' })
  await announce(9, 'rain')
  expect(await create('rain', { idempotencyKey: 'k1' })).toEqual(first)
})

test('an older list and repeated events do not replace a newer list', async () => {
  await announce(11, 'rain')
  await announce(10, 'snow')
  await cluster
    .db('statuses')
    .run(sql`update outbox set sent_at = null, replays = replays + 1, created_at = created_at - interval '1 minute'`)
  await cluster.waitForIdle()
  await expect(create('rain')).rejects.toMatchObject(refused)
  await create('snow')
})

test('an empty list makes all hashtags usable', async () => {
  await announce(12)
  await create('rain')
})

test('a remote collection shows its hashtag only while the hashtag is usable', async () => {
  const owner = '7001'
  const ownerUri = 'https://far.example/users/olga'
  const uri = `${ownerUri}/collections/1`
  await cluster.db('accounts').run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    values (${owner}, 'olga', 'far.example', ${ownerUri}, ${ownerUri}, now())`)
  const collection = { uri, ownerUri, url: null, name: 'Clouds', description: '', language: null, sensitive: false }
  const dates = { published: null, updated: null }
  const more = { discoverable: true, tag: 'Rain', ...dates, items: [], named: [] }
  const put = () =>
    cluster.call(putRemoteCollection, { actor: owner, collection: { ...collection, ...more }, make: true, look: false })
  await announce(13, 'rain')
  expect(await put()).toEqual({ outcome: 'done' })
  const [record] = (await cluster.call(collectionRecords, { uris: [uri] })).records
  const id = record?.id ?? ''
  const tagsOf = async () => {
    const shown = (await cluster.call(showCollection, { id })).collection
    const listed = (await cluster.call(collectionsOfAccount, { id: owner })).collections[0]
    const cards = await cluster.call(collectionCards, { viewer: null, ids: [id] })
    return [shown.tag, listed?.tag, JSON.parse(cards.get(id) ?? '{}').tag].map((tag) => tag?.name ?? null)
  }
  expect(await tagsOf()).toEqual([null, null, null])
  // Its owner changed nothing, so its local members get no notification.
  expect(await put()).toEqual({ outcome: 'unchanged' })
  await announce(14)
  expect(await tagsOf()).toEqual(['rain', 'rain', 'rain'])
  await announce(15, 'rain')
  expect(await tagsOf()).toEqual([null, null, null])
})
