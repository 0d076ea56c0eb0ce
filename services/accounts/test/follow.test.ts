/** Tests of follows: options, requests, refusals, counters, and concurrent changes. */
import {
  acceptRequestsJob,
  accountCountsRepaired,
  authorizeFollowRequest,
  createBlock,
  createFollow,
  listFollowees,
  listFollowers,
  listFollowRequests,
  listRelationships,
  recountAccounts,
  rejectFollowRequest,
  removeFollow,
  removeFollower,
  showAccount,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { acceptRequestsWork } from '../src/follow/jobs.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

let n = 0
const createAccounts = async (count: number): Promise<Viewer[]> => {
  const made: Viewer[] = []
  for (let i = 0; i < count; i++) made.push(await harness.createAccount(`p${n++}`, { password: 'a long password' }))
  return made
}
const follow = (from: Viewer, to: string, more: object = {}) => harness.call(createFollow, { id: to, ...more }, from)
const unfollow = (from: Viewer, to: string) => harness.call(removeFollow, { id: to }, from)
const counts = async (id: string) => {
  const { followers_count, following_count } = await harness.call(showAccount, { id })
  return [followers_count, following_count]
}
const events = async (subject: string): Promise<Record<string, unknown>[]> => {
  const rows = await harness
    .db('accounts')
    .rows<{ data: string }>(sql`select data from outbox where subject = ${`evt.accounts.${subject}`} order by id`)
  return rows.map((row) => JSON.parse(row.data))
}

test('S-004 a follow begins with default options and counts immediately', async () => {
  const [alice, bob] = await createAccounts(2)
  expect(await follow(alice!, bob!.id)).toMatchObject({
    id: bob!.id,
    following: true,
    showing_reblogs: true,
    notifying: false,
    languages: null,
    requested: false,
  })
  expect(await counts(bob!.id)).toEqual([1, 0])
  expect(await counts(alice!.id)).toEqual([0, 1])
  expect(await harness.call(listRelationships, { id: [alice!.id] }, bob)).toMatchObject([{ followed_by: true }])
  expect(await events('follow.created')).toContainEqual(
    expect.objectContaining({ from: alice!.id, to: bob!.id, fromLocal: true, toLocal: true, accepted: false }),
  )
})

test('S-068 a repeated follow changes only the given options', async () => {
  const [alice, bob] = await createAccounts(2)
  await follow(alice!, bob!.id, { notify: true, languages: ['en', 'de-AT'] })
  expect(await follow(alice!, bob!.id, { reblogs: 'false' })).toMatchObject({
    showing_reblogs: false,
    notifying: true,
    languages: ['en', 'de'],
  })
  expect(await follow(alice!, bob!.id, { languages: [] })).toMatchObject({ languages: null, notifying: true })
  await expect(follow(alice!, bob!.id, { languages: ['tlh'] })).rejects.toMatchObject({ code: 'unprocessable' })
  expect(await counts(bob!.id)).toEqual([1, 0])
})

test('an account cannot follow itself, an unknown or unconfirmed account, or across a block', async () => {
  const [alice, bob] = await createAccounts(2)
  await expect(follow(alice!, alice!.id)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Following your own account is not allowed',
  })
  await expect(follow(alice!, '12345')).rejects.toMatchObject({ code: 'not_found', message: 'Record not found' })
  const ghost = await harness.createAccount(`ghost${n++}`, { confirmed: false })
  await expect(follow(alice!, ghost.id)).rejects.toMatchObject({ code: 'not_found' })
  await harness.call(createBlock, { id: alice!.id }, bob)
  await expect(follow(alice!, bob!.id)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'This action is not allowed',
  })
  await expect(follow(bob!, alice!.id)).rejects.toMatchObject({ code: 'forbidden' })
})

test('S-008 a block ends follows both ways and cannot be followed through', async () => {
  const [alice, bob] = await createAccounts(2)
  await follow(alice!, bob!.id)
  await follow(bob!, alice!.id)
  expect(await harness.call(createBlock, { id: bob!.id }, alice)).toMatchObject({
    blocking: true,
    following: false,
    followed_by: false,
  })
  expect(await counts(alice!.id)).toEqual([0, 0])
  expect(await counts(bob!.id)).toEqual([0, 0])
  expect(await harness.call(listRelationships, { id: [alice!.id] }, bob)).toMatchObject([{ blocked_by: true }])
})

test('a locked account gets a request; accepting it keeps the options, rejecting it leaves nothing', async () => {
  const [alice, bob, carol] = await createAccounts(3)
  await harness.call(updateCredentials, { locked: true }, bob)
  expect(await follow(alice!, bob!.id, { notify: true })).toMatchObject({
    requested: true,
    following: false,
    showing_reblogs: true,
    notifying: true,
  })
  await follow(carol!, bob!.id)
  expect((await harness.call(listFollowRequests, {}, bob)).map((one) => one.id)).toEqual([carol!.id, alice!.id])
  expect(await harness.call(authorizeFollowRequest, { account_id: alice!.id }, bob)).toMatchObject({
    followed_by: true,
  })
  expect(await harness.call(listRelationships, { id: [bob!.id] }, alice)).toMatchObject([
    { following: true, notifying: true, requested: false },
  ])
  expect(await harness.call(rejectFollowRequest, { account_id: carol!.id }, bob)).toMatchObject({ requested_by: false })
  expect(await harness.call(listFollowRequests, {}, bob)).toEqual([])
  expect(await counts(bob!.id)).toEqual([1, 0])
})

test('A078 a request that was never made can be neither accepted nor rejected', async () => {
  const [alice, bob] = await createAccounts(2)
  for (const operation of [authorizeFollowRequest, rejectFollowRequest])
    await expect(harness.call(operation, { account_id: bob!.id }, alice)).rejects.toMatchObject({ code: 'not_found' })
  expect(await counts(alice!.id)).toEqual([0, 0])
})

test('unlocking an account accepts all requests', async () => {
  const [alice, bob, carol] = await createAccounts(3)
  await harness.call(updateCredentials, { locked: true }, bob)
  await follow(alice!, bob!.id)
  await follow(carol!, bob!.id)
  await harness.call(updateCredentials, { locked: 'false' }, bob)
  expect(await counts(bob!.id)).toEqual([2, 0])
  expect(await harness.call(listFollowRequests, {}, bob)).toEqual([])
})

test('a job that accepts requests and runs again queues its next run once', async () => {
  const [bob] = await createAccounts(1)
  const db = harness.db('accounts')
  await db.run(sql`insert into accounts (id, username, uri, url, created_at)
    select 7700000 + n, 'asks' || n, 'https://here/asks' || n, '', now() from generate_series(1, 1000) n`)
  await db.run(sql`insert into follow_requests (id, account_id, target_id, account_local, created_at)
    select 7700000 + n, 7700000 + n, ${bob!.id}, true, now() from generate_series(1, 1000) n`)
  const ctx = harness.host.running.find((one) => one.service === 'accounts')?.ctx
  const queue = vi.fn(async () => undefined)
  for (let times = 0; times < 2; times++)
    await acceptRequestsWork.run({ ...ctx, queue }, { target: bob!.id }, { id: '4601', tries: 1 })
  expect(await counts(bob!.id)).toEqual([1000, 0])
  expect(queue.mock.calls).toEqual([[expect.anything(), acceptRequestsJob, { target: bob!.id }]])
})

test('S-004 an unfollow also withdraws a request, and may be repeated', async () => {
  const [alice, bob] = await createAccounts(2)
  await harness.call(updateCredentials, { locked: true }, bob)
  await follow(alice!, bob!.id)
  expect(await unfollow(alice!, bob!.id)).toMatchObject({ requested: false, following: false })
  expect(await unfollow(alice!, bob!.id)).toMatchObject({ requested: false, following: false })
  expect(await events('follow-request.removed')).toContainEqual(
    expect.objectContaining({ from: alice!.id, why: 'withdrawn' }),
  )
})

test('S-159 removing a follower may be repeated', async () => {
  const [alice, bob] = await createAccounts(2)
  await follow(alice!, bob!.id)
  expect(await harness.call(removeFollower, { id: alice!.id }, bob)).toMatchObject({ followed_by: false })
  await harness.call(removeFollower, { id: alice!.id }, bob)
  expect(await counts(bob!.id)).toEqual([0, 0])
  expect(await events('follow.removed')).toContainEqual(
    expect.objectContaining({ from: alice!.id, to: bob!.id, byTarget: true }),
  )
})

test('a remote account gets a request, and an unlocked one is shown as followed', async () => {
  const [alice] = await createAccounts(1)
  const open = await harness.remote('rita')
  const locked = await harness.remote('vera', { locked: true })
  expect(await follow(alice!, open)).toMatchObject({ following: true, requested: false, showing_reblogs: true })
  expect(await follow(alice!, locked)).toMatchObject({ following: false, requested: true })
  expect(await harness.call(listRelationships, { id: [open] }, alice)).toMatchObject([
    { following: false, requested: true },
  ])
  expect(await counts(alice!.id)).toEqual([0, 0])
  const [asked] = (await events('follow-request.created')).filter((one) => one.to === open)
  expect(asked).toMatchObject({ from: alice!.id, toLocal: false })
  expect(asked?.uri).toMatch(new RegExp(`^${harness.origin}/ap/users/${alice!.id}#follows/\\d+$`))
})

test('S-065 S-127 lists of followers and of followed accounts are public, paged by row, and hidden if their owner chooses it', async () => {
  const [star, ...fans] = await createAccounts(4)
  for (const fan of fans) await follow(fan, star!.id)
  const ids = fans.map((fan) => fan.id).reverse()
  expect((await harness.call(listFollowers, { id: star!.id })).map((one) => one.id)).toEqual(ids)
  expect((await harness.call(listFollowers, { id: star!.id, limit: 2 })).map((one) => one.id)).toEqual(ids.slice(0, 2))
  expect((await harness.call(listFollowees, { id: fans[0]!.id })).map((one) => one.id)).toEqual([star!.id])
  await harness.call(updateCredentials, { hide_collections: true }, star)
  expect(await harness.call(listFollowers, { id: star!.id })).toEqual([])
  expect(await harness.call(listFollowers, { id: star!.id }, fans[0])).toEqual([])
  expect(await harness.call(listFollowers, { id: star!.id }, star)).toHaveLength(3)
  await harness.call(updateCredentials, { hide_collections: true }, fans[0])
  expect(await harness.call(showAccount, { id: fans[0]!.id })).toMatchObject({ hide_collections: true })
  for (const reader of [undefined, fans[1], star])
    expect(await harness.call(listFollowees, { id: fans[0]!.id }, reader)).toEqual([])
  expect((await harness.call(listFollowees, { id: fans[0]!.id }, fans[0])).map((one) => one.id)).toEqual([star!.id])
  await expect(harness.call(listFollowers, { id: '77' })).rejects.toMatchObject({ code: 'not_found' })
})

test('S-084 a full page of accounts has a link to the next one, and a link back by since_id', async () => {
  const [star, ...fans] = await createAccounts(4)
  for (const fan of fans) await follow(fan, star!.id)
  const page = async (input: object) => {
    const { bytes, meta } = await harness.request(listFollowers, { id: star!.id, ...input })
    const ids = (JSON.parse(new TextDecoder().decode(bytes)) as { id: string }[]).map((one) => one.id)
    return { ids, next: meta.next, prev: meta.prev }
  }
  const first = await page({ limit: 2 })
  expect(first).toMatchObject({ ids: [fans[2]!.id, fans[1]!.id], next: { max_id: expect.any(String) } })
  expect(Object.keys(first.prev ?? {})).toEqual(['since_id'])
  const second = await page({ limit: 2, ...first.next })
  expect(second).toMatchObject({ ids: [fans[0]!.id], next: null })
  expect((await page({ limit: 2, ...second.prev })).ids).toEqual(first.ids)
  expect(await page({ limit: 0 })).toEqual({ ids: [], next: null, prev: null })
})

test('lists leave out accounts with a block between them and the viewer, and are empty for accounts that the owner blocks', async () => {
  const [star, fan, other, viewer] = await createAccounts(4)
  await follow(fan!, star!.id)
  await follow(other!, star!.id)
  await harness.call(createBlock, { id: fan!.id }, viewer)
  await harness.call(createBlock, { id: viewer!.id }, other)
  expect(await harness.call(listFollowers, { id: star!.id }, viewer)).toEqual([])
  expect(await harness.call(listFollowers, { id: star!.id })).toHaveLength(2)
  await harness.call(createBlock, { id: viewer!.id }, star)
  expect(await harness.call(listFollowers, { id: star!.id }, viewer)).toEqual([])
})

test('an account follows no more accounts than the limit', async () => {
  const [alice, bob] = await createAccounts(2)
  await harness.db('accounts').run(sql`update account_stats set following_count = 7500 where account_id = ${alice!.id}`)
  await expect(follow(alice!, bob!.id)).rejects.toMatchObject({
    code: 'unprocessable',
    message: 'Validation failed: You cannot follow more than 7500 people',
  })
  expect(await harness.call(listRelationships, { id: [bob!.id] }, alice)).toMatchObject([{ following: false }])
})

test('an account at the limit of follows sends no request, and changes its follows and requests', async () => {
  const [alice, bob, locked] = await createAccounts(3)
  await harness.call(updateCredentials, { locked: true }, locked)
  const [asked, remote] = await Promise.all(
    ['faraway', 'farther'].map((name) => harness.remote(name, { locked: true })),
  )
  await follow(alice!, bob!.id)
  expect(await follow(alice!, asked!)).toMatchObject({ requested: true })
  await harness.db('accounts').run(sql`update account_stats set following_count = 7500 where account_id = ${alice!.id}`)
  const refusal = { code: 'unprocessable', message: 'Validation failed: You cannot follow more than 7500 people' }
  await expect(follow(alice!, locked!.id)).rejects.toMatchObject(refusal)
  await expect(follow(alice!, remote!)).rejects.toMatchObject(refusal)
  expect(await harness.call(listRelationships, { id: [locked!.id, remote!] }, alice)).toMatchObject([
    { requested: false },
    { requested: false },
  ])
  expect(await follow(alice!, bob!.id, { notify: true })).toMatchObject({ following: true, notifying: true })
  expect(await follow(alice!, asked!, { reblogs: false })).toMatchObject({ requested: true })
  await harness.db('accounts').run(sql`update account_stats set following_count = 7499 where account_id = ${alice!.id}`)
  expect(await follow(alice!, remote!)).toMatchObject({ requested: true })
  // More followers allow more follows.
  await harness.db('accounts').run(sql`update account_stats set following_count = 7999, followers_count = 7273
    where account_id = ${alice!.id}`)
  expect(await follow(alice!, locked!.id)).toMatchObject({ requested: true })
})

test('F057 concurrent follows and unfollows end in one state, with counters that equal the rows', async () => {
  const [alice, bob] = await createAccounts(2)
  await Promise.all(Array.from({ length: 60 }, (_, i) => (i % 2 ? unfollow(alice!, bob!.id) : follow(alice!, bob!.id))))
  const [relation] = await harness.call(listRelationships, { id: [bob!.id] }, alice)
  const followed = relation?.following ? 1 : 0
  expect(await counts(bob!.id)).toEqual([followed, 0])
  expect(await counts(alice!.id)).toEqual([0, followed])
  const isOfPair = (one: Record<string, unknown>) => one.from === alice!.id && one.to === bob!.id
  const begun = (await events('follow.created')).filter(isOfPair)
  const ended = (await events('follow.removed')).filter(isOfPair)
  expect(begun.length - ended.length).toBe(followed)
  // Each end event names the follow that ended, so that another server gets matching ids.
  const ids = new Set(begun.map((one) => one.uri))
  expect(ids.size).toBe(begun.length)
  for (const one of ended) expect(ids).toContain(one.uri)
})

test('F058 fifty concurrent follows of one account create one row and one event', async () => {
  const [alice, bob] = await createAccounts(2)
  await Promise.all(Array.from({ length: 50 }, () => follow(alice!, bob!.id)))
  expect(await counts(bob!.id)).toEqual([1, 0])
  expect((await events('follow.created')).filter((one) => one.to === bob!.id)).toHaveLength(1)
})

test('two accounts that follow each other concurrently both succeed', async () => {
  const [alice, bob] = await createAccounts(2)
  await Promise.all(Array.from({ length: 10 }, () => [follow(alice!, bob!.id), follow(bob!, alice!.id)]).flat())
  expect(await counts(alice!.id)).toEqual([1, 1])
  expect(await counts(bob!.id)).toEqual([1, 1])
})

test('F059 no request stays open when an account unlocks while requests arrive', async () => {
  const [star, ...fans] = await createAccounts(9)
  await harness.call(updateCredentials, { locked: true }, star)
  await Promise.all([
    ...fans.map((fan) => follow(fan, star!.id)),
    harness.call(updateCredentials, { locked: false }, star),
  ])
  await harness.waitForIdle()
  expect(await harness.call(listFollowRequests, {}, star)).toEqual([])
  expect(await counts(star!.id)).toEqual([fans.length, 0])
})

test('F060 after the response of a block no follow exists, whatever ran concurrently', async () => {
  const [alice, bob] = await createAccounts(2)
  for (let round = 0; round < 20; round++) {
    await harness.db('accounts').run(sql`delete from blocks where account_id = ${alice!.id}`)
    await Promise.all([
      follow(bob!, alice!.id).catch(() => undefined),
      harness.call(createBlock, { id: bob!.id }, alice),
      follow(alice!, bob!.id).catch(() => undefined),
    ])
    const rows = await harness
      .db('accounts')
      .rows(sql`select 1 from follows where ${alice!.id} in (account_id, target_id)`)
    expect(rows).toEqual([])
  }
  expect(await counts(alice!.id)).toEqual([0, 0])
  expect(await counts(bob!.id)).toEqual([0, 0])
})

test('I5 a recount finds counters that differ from the follows, and corrects them on request', async () => {
  const [one, two] = [await harness.createAccount('countone'), await harness.createAccount('counttwo')]
  await follow(one, two.id)
  const look = async (repair = false) =>
    (await harness.call(recountAccounts, { repair })).differences.filter((found) => [one.id, two.id].includes(found.id))
  expect(await look()).toEqual([])
  await harness.db('accounts').run(sql`update account_stats set followers_count = 5 where account_id = ${two.id}`)
  const wrong = { id: two.id, counter: 'followers', kept: 5, counted: 1 }
  expect(await look()).toEqual([{ ...wrong, repaired: false }])
  expect(await look(true)).toEqual([{ ...wrong, repaired: true }])
  const repairs = sql`select data::jsonb as data from outbox where subject = ${`evt.${accountCountsRepaired.name}`}`
  expect(await harness.db('accounts').rows(repairs)).toMatchObject([
    {
      data: {
        by: null,
        action: 'repair_counters',
        target: 'accounts',
        before: expect.arrayContaining([{ id: two.id, counter: 'followers', kept: 5 }]),
      },
    },
  ])
  expect(await look()).toEqual([])
  expect((await harness.call(showAccount, { id: two.id })).followers_count).toBe(1)
})
