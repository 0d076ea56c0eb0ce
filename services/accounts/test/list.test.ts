/** Tests of lists: rules, members, limits, and access by their owner only. */
import {
  addListMembers,
  authorizeFollowRequest,
  createFollow,
  createList,
  followees,
  listIndex,
  listMembersOfList,
  listOwners,
  listsOfAccount,
  removeFollow,
  removeList,
  removeListMembers,
  showList,
  updateCredentials,
  updateList,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
let alice: Viewer
let bob: Viewer
let carol: Viewer
beforeAll(async () => {
  harness = await startAccounts()
  alice = await harness.createAccount('alice')
  bob = await harness.createAccount('bob')
  carol = await harness.createAccount('carol')
  await harness.call(createFollow, { id: bob.id }, alice)
})
afterAll(() => harness.stop())

const create = (input: object = {}, as = alice) => harness.call(createList, { title: 'Friends', ...input }, as)

test('a list is created, changed, shown and deleted', async () => {
  const list = await create()
  expect(list).toEqual({ id: list.id, title: 'Friends', replies_policy: 'list', exclusive: false })
  const changed = await harness.call(updateList, { id: list.id, exclusive: 'true', replies_policy: 'none' }, alice)
  expect(changed).toMatchObject({ title: 'Friends', replies_policy: 'none', exclusive: true })
  expect(await harness.call(showList, { id: list.id }, alice)).toEqual(changed)
  expect(await harness.call(removeList, { id: list.id }, alice)).toEqual({})
  await expect(harness.call(showList, { id: list.id }, alice)).rejects.toMatchObject({ code: 'not_found' })
})

test('other services read the owner of a list, and nothing for unknown lists', async () => {
  const list = await create()
  expect(await harness.call(listOwners, { ids: [list.id, '5'] })).toEqual({ owners: { [list.id]: alice.id } })
})

test('S-194 an invalid list is refused', async () => {
  const wrong: [object, string][] = [
    [{ title: ' ' }, "Title can't be blank"],
    [{ title: 'x'.repeat(257) }, 'Title is too long (maximum is 256 characters)'],
    [{ replies_policy: 'some' }, 'Replies policy is not included in the list'],
  ]
  for (const [input, text] of wrong)
    await expect(create(input)).rejects.toMatchObject({ status: 422, message: `Validation failed: ${text}` })
})

test('D046 a list of another account is not found, for reading and for changing', async () => {
  const list = await create()
  const tries = [
    harness.call(showList, { id: list.id }, bob),
    harness.call(updateList, { id: list.id, title: 'Mine' }, bob),
    harness.call(removeList, { id: list.id }, bob),
    harness.call(listMembersOfList, { id: list.id }, bob),
    harness.call(addListMembers, { id: list.id, account_ids: [bob.id] }, bob),
    harness.call(removeListMembers, { id: list.id, account_ids: [bob.id] }, bob),
  ]
  for (const one of await Promise.allSettled(tries)) expect(one).toMatchObject({ reason: { status: 404 } })
  expect(await harness.call(listIndex, {}, bob)).toEqual([])
  expect(await harness.call(showList, { id: list.id }, alice)).toEqual(list)
  await harness.call(removeList, { id: list.id }, alice)
})

test('members are followees, the owner, or requested accounts', async () => {
  const list = await create()
  const add = (...account_ids: string[]) => harness.call(addListMembers, { id: list.id, account_ids }, alice)
  await expect(add(carol.id)).rejects.toMatchObject({
    message: 'Validation failed: Account must be a followed account',
  })
  await expect(add('12')).rejects.toMatchObject({ code: 'not_found' })
  await add(bob.id, alice.id)
  await expect(add(bob.id)).rejects.toMatchObject({ message: 'Validation failed: Account is already on the list' })
  await harness.call(updateCredentials, { locked: true }, carol)
  await harness.call(createFollow, { id: carol.id }, alice)
  await add(carol.id)
  const members = async () => (await harness.call(listMembersOfList, { id: list.id }, alice)).map((one) => one.id)
  expect(await members()).toEqual([carol.id, bob.id, alice.id])
  expect((await harness.call(listMembersOfList, { id: list.id, limit: '0' }, alice)).length).toBe(3)
  expect((await harness.call(listMembersOfList, { id: list.id, limit: 1, max_id: carol.id }, alice))[0]?.id).toBe(
    bob.id,
  )
  expect((await harness.call(listsOfAccount, { id: bob.id }, alice)).map((one) => one.id)).toEqual([list.id])

  const feed = async () =>
    (await harness.call(followees, { id: alice.id, list: list.id })).followees.map((one) => one.id)
  expect(await feed()).toEqual([alice.id, bob.id])
  await harness.call(authorizeFollowRequest, { account_id: alice.id }, carol)
  expect(await feed()).toEqual([alice.id, bob.id, carol.id])
  await harness.call(removeFollow, { id: carol.id }, alice)
  expect(await members()).toEqual([bob.id, alice.id])
  await harness.call(removeListMembers, { id: list.id, account_ids: [alice.id, '9'] }, alice)
  expect(await members()).toEqual([bob.id])
  const changes = await harness
    .db('accounts')
    .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.accounts.list.changed'`)
  expect(changes.map((row) => JSON.parse(row.data))).toContainEqual({ id: list.id, owner: alice.id })
})

test('F064 concurrent requests do not exceed the limit of lists', async () => {
  const dora = await harness.createAccount('dora')
  await harness
    .db('accounts')
    .run(
      sql`insert into lists (id, account_id, title, created_at) select n, ${dora.id}, 'list', now() from generate_series(1, 49) n`,
    )
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => create({}, dora)))
  expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  expect(await harness.call(listIndex, {}, dora)).toHaveLength(50)
  await expect(create({}, dora)).rejects.toMatchObject({
    message: 'Validation failed: You have reached the maximum number of lists',
  })
})

test('the same Idempotency-Key creates one list, also in concurrent requests', async () => {
  const erin = await harness.createAccount('erin')
  const key = { idempotencyKey: 'once' }
  const [one, two] = await Promise.all([
    harness.call(createList, { title: 'A' }, erin, key),
    harness.call(createList, { title: 'A' }, erin, key),
  ])
  expect(two).toEqual(one)
  expect(await harness.call(createList, { title: 'A' }, erin, key)).toEqual(one)
  await harness.call(createList, { title: 'A' }, alice, key)
  expect(await harness.call(listIndex, {}, erin)).toEqual([one])
})
