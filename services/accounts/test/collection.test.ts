/** Tests of collections over the bus: rules, visibility, leaving, and events. */
import {
  addCollectionItem,
  collectionCards,
  collectionsOfAccount,
  collectionsWithAccount,
  createBlock,
  createCollection,
  createFollow,
  removeCollection,
  removeCollectionItem,
  revokeCollectionItem,
  showCollection,
  updateCollection,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

/** Feature policy that lets every account request. */
const open = { automatic: ['public' as const], manual: [] }
let harness: Harness
let alice: Viewer
let bob: Viewer
let carol: Viewer
let rita: string
beforeAll(async () => {
  harness = await startAccounts()
  alice = await harness.createAccount('alice')
  bob = await harness.createAccount('bob')
  carol = await harness.createAccount('carol')
  rita = await harness.remote('rita', { feature_policy: open })
  for (const one of [bob, carol]) await harness.call(updateCredentials, { discoverable: true }, one)
})
afterAll(() => harness.stop())

const create = (input: object = {}, as = alice) => harness.call(createCollection, { name: 'Birds', ...input }, as)
const add = (collection_id: string, account_id: string | undefined, as = alice) =>
  harness.call(addCollectionItem, { collection_id, account_id }, as)
const events = async (name: string) =>
  (
    await harness
      .db('accounts')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${`evt.accounts.${name}`} order by id`)
  ).map((row) => JSON.parse(row.data))
const refused = { status: 403, message: 'This action is not allowed' }

test('a collection is created with its first accounts, shown, changed and deleted', async () => {
  const { collection } = await create({
    description: 'They sing',
    language: 'en',
    tag_name: '#Birds',
    account_ids: [bob.id, bob.id, rita],
  })
  expect(collection).toMatchObject({
    name: 'Birds',
    description: 'They sing',
    language: 'en',
    account_id: alice.id,
    local: true,
    sensitive: false,
    discoverable: true,
    item_count: 2,
    items: [
      { state: 'accepted', account_id: bob.id },
      { state: 'pending', account_id: rita },
    ],
  })
  expect(collection.tag).toEqual({ name: 'birds', url: expect.stringMatching(/\/tags\/birds$/) })
  expect(collection.uri).toMatch(new RegExp(`/ap/users/${alice.id}/collections/${collection.id}$`))
  expect(collection.url).toMatch(new RegExp(`/collections/${collection.id}$`))

  expect(await events('collection.created')).toContainEqual({ id: collection.id, owner: alice.id, discoverable: true })

  const shown = await harness.call(showCollection, { id: collection.id }, alice)
  expect(shown.collection).toEqual(collection)
  expect(shown.accounts.map((one) => one.id)).toEqual([alice.id, bob.id, rita])
  const toVisitors = await harness.call(showCollection, { id: collection.id })
  expect(toVisitors.collection).toMatchObject({ item_count: 1, items: [{ account_id: bob.id }] })
  expect(toVisitors.accounts.map((one) => one.id)).toEqual([alice.id, bob.id])

  const changed = await harness.call(
    updateCollection,
    { id: collection.id, name: 'Owls', tag_name: '', discoverable: 'false' },
    alice,
  )
  expect(changed.collection).toMatchObject({ name: 'Owls', description: 'They sing', tag: null, discoverable: false })
  expect((await events('collection.changed')).at(-1)).toEqual({
    id: collection.id,
    owner: alice.id,
    accounts: [bob.id],
    discoverable: { before: true, after: false },
  })
  const before = (await events('collection.changed')).length
  await harness.call(updateCollection, { id: collection.id, name: 'Owls' }, alice)
  expect(await events('collection.changed')).toHaveLength(before)

  await harness.call(removeCollection, { id: collection.id }, alice)
  expect(await events('collection.removed')).toContainEqual({
    id: collection.id,
    owner: alice.id,
    discoverable: false,
  })
  await expect(harness.call(showCollection, { id: collection.id }, alice)).rejects.toMatchObject({ status: 404 })
})

test('a collection takes accounts up to a limit', async () => {
  const { collection } = await create()
  const dora = await harness.createAccount('dora')
  await expect(add(collection.id, dora.id)).rejects.toMatchObject(refused)
  await harness.call(updateCredentials, { discoverable: true, locked: true }, dora)
  await expect(add(collection.id, dora.id)).rejects.toMatchObject(refused)
  await harness.call(createFollow, { id: alice.id }, dora)
  expect((await add(collection.id, dora.id)).collection_item).toMatchObject({ state: 'accepted', account_id: dora.id })
  await expect(add(collection.id, dora.id)).rejects.toMatchObject({
    status: 422,
    message: 'Validation failed: Account has already been taken',
  })
  await expect(add(collection.id, undefined)).rejects.toMatchObject({
    status: 422,
    message: '`account_id` parameter is missing',
  })
  await expect(add(collection.id, '12')).rejects.toMatchObject({ status: 404 })
  await expect(add('12', bob.id)).rejects.toMatchObject({ status: 404 })
  await expect(add(collection.id, bob.id, bob)).rejects.toMatchObject(refused)
  // The owner may be featured, even if not discoverable.
  expect((await add(collection.id, alice.id)).collection_item.state).toBe('accepted')
  const added = (await events('collection-item.added')).filter((one) => one.collection === collection.id)
  expect(added).toMatchObject([
    { owner: alice.id, ownerLocal: true, account: dora.id, accountLocal: true, state: 'accepted' },
    { owner: alice.id, account: alice.id, state: 'accepted' },
  ])

  const many = await Promise.all(
    Array.from({ length: 26 }, (_, n) => harness.remote(`many${n}`, { feature_policy: open })),
  )
  const tooMany = {
    status: 422,
    message: 'Validation failed: Collection items are too many, no more than 25 are allowed',
  }
  await expect(create({ account_ids: many })).rejects.toMatchObject(tooMany)
  const full = await create({ account_ids: many.slice(0, 24) })
  const settled = await Promise.allSettled([add(full.collection.id, bob.id), add(full.collection.id, carol.id)])
  expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  expect(settled.find((one) => one.status === 'rejected')).toMatchObject({ reason: tooMany })
})

test('an account has at most as many collections as its role allows, and one per Idempotency-Key', async () => {
  const erin = await harness.createAccount('erin')
  const key = { idempotencyKey: 'once' }
  const [one, two] = await Promise.all([
    harness.call(createCollection, { name: 'A' }, erin, key),
    harness.call(createCollection, { name: 'A' }, erin, key),
  ])
  expect(two).toEqual(one)
  const settled = await Promise.allSettled(Array.from({ length: 12 }, () => create({}, erin)))
  expect(settled.filter((each) => each.status === 'fulfilled')).toHaveLength(9)
  await expect(create({}, erin)).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('You have reached the maximum number of collections'),
  })
  const { collections } = await harness.call(collectionsOfAccount, { id: erin.id, limit: 4, offset: 8 }, erin)
  expect(collections).toHaveLength(2)
})

test('others find discoverable collections, and only the owner changes one', async () => {
  const fred = await harness.createAccount('fred')
  const open = await create({ name: 'Open' }, fred)
  const hidden = await create({ name: 'Hidden', discoverable: false }, fred)
  const names = async (as?: Viewer) =>
    (await harness.call(collectionsOfAccount, { id: fred.id }, as)).collections.map((one) => one.name)
  expect(await names(fred)).toEqual(['Hidden', 'Open'])
  expect(await names(alice)).toEqual(['Open'])
  expect(await names()).toEqual(['Open'])
  expect((await harness.call(showCollection, { id: hidden.collection.id })).collection.name).toBe('Hidden')

  const { id } = open.collection
  await expect(harness.call(updateCollection, { id, name: 'Mine' }, alice)).rejects.toMatchObject(refused)
  await expect(harness.call(removeCollection, { id }, alice)).rejects.toMatchObject(refused)

  await harness.call(createBlock, { id: alice.id }, fred)
  expect(await names(alice)).toEqual([])
  await expect(harness.call(showCollection, { id }, alice)).rejects.toMatchObject(refused)
  expect((await harness.call(collectionCards, { viewer: alice.id, ids: [id] })).size).toBe(0)
  expect((await harness.call(collectionCards, { viewer: bob.id, ids: [id, '12'] })).size).toBe(1)
  expect((await harness.call(collectionCards, { viewer: null, ids: [id, '12'] })).size).toBe(1)
})

test('an account in a collection finds it, leaves it, and is not added again', async () => {
  const { collection } = await create({ name: 'Leaving', account_ids: [carol.id, rita] })
  const [own, theirs] = collection.items
  const containing = async () =>
    (await harness.call(collectionsWithAccount, { id: carol.id }, carol)).collections.map((one) => one.name)
  expect(await containing()).toContain('Leaving')
  await expect(harness.call(collectionsWithAccount, { id: carol.id }, alice)).rejects.toMatchObject(refused)

  const item = { collection_id: collection.id, id: own?.id ?? '' }
  await expect(harness.call(revokeCollectionItem, item, bob)).rejects.toMatchObject(refused)
  await harness.call(revokeCollectionItem, item, carol)
  await harness.call(revokeCollectionItem, item, carol)
  expect(await containing()).not.toContain('Leaving')
  expect((await events('collection-item.removed')).filter((one) => one.id === own?.id)).toEqual([
    expect.objectContaining({ account: carol.id, owner: alice.id, state: 'revoked', accountLocal: true }),
  ])
  const toKeeper = await harness.call(showCollection, { id: collection.id }, alice)
  expect(toKeeper.collection.items[0]).toEqual({ id: own?.id, state: 'revoked', created_at: own?.created_at })
  expect(toKeeper.collection.item_count).toBe(1)
  await expect(add(collection.id, carol.id)).rejects.toMatchObject({ status: 422 })

  await harness.call(removeCollectionItem, { collection_id: collection.id, id: theirs?.id ?? '' }, alice)
  await expect(
    harness.call(removeCollectionItem, { collection_id: collection.id, id: theirs?.id ?? '' }, alice),
  ).rejects.toMatchObject({ status: 404 })
})

test('a block removes both accounts from each other’s collections', async () => {
  const gina = await harness.createAccount('gina')
  const hugo = await harness.createAccount('hugo')
  for (const one of [gina, hugo]) await harness.call(updateCredentials, { discoverable: true }, one)
  const ofGina = await create({ account_ids: [hugo.id] }, gina)
  const ofHugo = await create({ account_ids: [gina.id] }, hugo)
  await harness.call(createBlock, { id: hugo.id }, gina)
  for (const [one, owner] of [
    [ofGina, gina],
    [ofHugo, hugo],
  ] as const)
    expect((await harness.call(showCollection, { id: one.collection.id }, owner)).collection.items).toEqual([])
  await expect(add(ofHugo.collection.id, gina.id, hugo)).rejects.toMatchObject(refused)
})

test('a page has a link to the next one if more collections remain', async () => {
  const ivan = await harness.createAccount('ivan')
  await create({ name: 'One' }, ivan)
  await create({ name: 'Two' }, ivan)
  await create({ name: 'Three' }, ivan)
  const page = async (offset: number) =>
    (await harness.call(collectionsOfAccount, { id: ivan.id, limit: 2, offset })).collections.map((one) => one.name)
  expect(await page(0)).toEqual(['Three', 'Two'])
  expect(await page(2)).toEqual(['One'])
  expect((await harness.call(collectionsOfAccount, { id: ivan.id, limit: 0 })).collections).toEqual([])
})
