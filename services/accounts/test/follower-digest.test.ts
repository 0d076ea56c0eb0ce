/** Tests of follower digests by server, and of follower synchronisation (FEP-8fcf). */
import { createHash } from 'node:crypto'
import {
  applyRemote,
  createBlock,
  createFollow,
  followerDigests,
  followersAt,
  listRelationships,
  synchroniseFollowers,
} from '@murmuration/contracts/accounts'
import { olderNames, type Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { holding } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hexOfBits } from '../src/follower-digest/rules.js'
import { digestsOf, storeDigests, storedDigestsOf } from '../src/follower-digest/store.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
let alice: Viewer
beforeAll(async () => {
  harness = await startAccounts()
  alice = await harness.createAccount('alice')
})
afterAll(() => harness.stop())

const uriOf = async (id: string): Promise<string> =>
  (await harness.db('accounts').row<{ uri: string }>(sql`select uri from accounts where id = ${id}`))?.uri ?? ''
const apply = (what: 'follow' | 'undo-follow' | 'accept-follow', actor: string, target: string) =>
  harness.call(applyRemote, { what, actor, target, uri: `https://remote.example/${what}/${target}` })

/** The digest of actor ids, computed independently of the service. */
const digestOf = (...uris: string[]): string => {
  const xor = uris
    .map((uri) => BigInt(`0x${createHash('sha256').update(uri).digest('hex')}`))
    .reduce((all, one) => all ^ one, 0n)
  return xor.toString(16).padStart(64, '0')
}

const first = { after: '0', limit: 5_000 }
const whole = { after: null, upTo: null }

test('followers of a local account have one digest per server, and are listed by server', async () => {
  const rita = await harness.remote('rita')
  const olaf = await harness.remote('olaf')
  for (const id of [rita, olaf]) await apply('follow', id, alice.id)
  const origin = new URL(await uriOf(rita)).origin
  const uris = [await uriOf(rita), await uriOf(olaf)]
  const { comparable, digests } = await harness.call(followerDigests, { account: alice.id })
  expect([comparable, digests]).toEqual([true, { [origin]: digestOf(...uris) }])
  expect(await harness.call(followerDigests, { account: alice.id, origins: ['https://x.example'] })).toEqual({
    comparable: true,
    digests: {},
  })
  expect(await harness.call(followersAt, { account: alice.id, origin, ...first })).toEqual({ uris, next: null })
  expect(await harness.call(followersAt, { account: alice.id, origin: `${origin}.evil`, ...first })).toEqual({
    uris: [],
    next: null,
  })
})

test('follower synchronisation ends unknown follows and accepts granted ones', async () => {
  const vera = await harness.remote('vera', { locked: true })
  const [kept, lost, asking, unfollowed] = await Promise.all(
    ['kept', 'lost', 'asking', 'unfollowed'].map((name) => harness.createAccount(name)),
  )
  if (!kept || !lost || !asking || !unfollowed) throw new Error('people are missing')
  for (const one of [kept, lost, asking]) await harness.call(createFollow, { id: vera }, one)
  for (const one of [kept, lost]) await apply('accept-follow', vera, one.id)
  const listed = await Promise.all([kept, asking, unfollowed].map((one) => uriOf(one.id)))
  const taken = await harness.call(synchroniseFollowers, { account: vera, listed, part: whole })
  expect(taken).toEqual({ ended: 1, accepted: 1, [olderNames.unknownAccounts]: [unfollowed.id] })
  const following = async (one: Viewer) => (await harness.call(listRelationships, { id: [vera] }, one))[0]?.following
  expect(await Promise.all([kept, lost, asking, unfollowed].map(following))).toEqual([true, false, true, false])
  expect(await harness.call(synchroniseFollowers, { account: vera, listed, part: whole })).toEqual({
    ended: 0,
    accepted: 0,
    [olderNames.unknownAccounts]: [unfollowed.id],
  })
  const here = new URL(await uriOf(kept.id)).origin
  const { digests } = await harness.call(followerDigests, { account: vera, origins: [here] })
  expect(digests).toEqual({ [here]: digestOf(await uriOf(kept.id), await uriOf(asking.id)) })
})

test('a listed request is not accepted after a block', async () => {
  const wanda = await harness.remote('wanda')
  const asking = await harness.createAccount('askingwanda')
  await harness.call(createFollow, { id: wanda }, asking)
  const held = await holding(
    harness.db('accounts'),
    sql`select 1 from account_stats where account_id = ${asking.id} for update`,
  )
  const listed = [await uriOf(asking.id)]
  const taken = harness.call(synchroniseFollowers, { account: wanda, listed, part: whole })
  await held.queued(1)
  const blocked = harness.call(createBlock, { id: wanda }, asking)
  await held.queued(2)
  await held.letGo()
  expect(await taken).toMatchObject({ accepted: 1 })
  await blocked
  const [relation] = await harness.call(listRelationships, { id: [wanda] }, asking)
  expect(relation).toMatchObject({ blocking: true, following: false, requested: false })
})

test('a list that was read before a new follow ends nothing', async () => {
  const yara = await harness.remote('yara')
  const late = await harness.createAccount('lateyara')
  const here = new URL(await uriOf(late.id)).origin
  const digest = async () =>
    (await harness.call(followerDigests, { account: yara, origins: [here] })).digests[here] ?? '0'.repeat(64)
  const before = await digest()
  await harness.call(createFollow, { id: yara }, late)
  await apply('accept-follow', yara, late.id)
  const take = (as: string) =>
    harness.call(synchroniseFollowers, { account: yara, listed: [], part: whole, before: as })
  expect(await take(before)).toEqual({ ended: 0, accepted: 0, [olderNames.unknownAccounts]: [], overtaken: true })
  expect((await harness.call(listRelationships, { id: [yara] }, late))[0]?.following).toBe(true)
  expect(await take(await digest())).toMatchObject({ ended: 1 })
})

test('a long list is read in pages, and each part changes only its own range', async () => {
  const wide = await harness.remote('wide')
  const accounts = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name) => harness.createAccount(`part${name}`)),
  )
  for (const one of accounts) {
    await harness.call(createFollow, { id: wide }, one)
    await apply('accept-follow', wide, one.id)
  }
  const uris = (await Promise.all(accounts.map((one) => uriOf(one.id)))).sort()
  const [a = '', b = '', c = '', d = ''] = uris
  const here = new URL(a).origin
  const pages: string[][] = []
  for (let after: string | null = '0'; after !== null; ) {
    const page: { uris: string[]; next: string | null } = await harness.call(followersAt, {
      account: wide,
      origin: here,
      after,
      limit: 2,
    })
    pages.push(page.uris)
    after = page.next
  }
  expect([pages.map((page) => page.length), pages.flat().sort()]).toEqual([[2, 2], uris])
  const part = (listed: string[], after: string | null, upTo: string | null) =>
    harness.call(synchroniseFollowers, { account: wide, listed, part: { after, upTo } })
  // Of four followers, the other server does not know the second one.
  expect((await part([a], null, a)).ended).toBe(0)
  expect((await part([c], a, c)).ended).toBe(1)
  expect((await part([d], c, null)).ended).toBe(0)
  const { digests } = await harness.call(followerDigests, { account: wide, origins: [here] })
  expect(digests).toEqual({ [here]: digestOf(a, c, d) })
  expect(b).not.toBe('')
})

test('another server cannot synchronise followers of a local account', async () => {
  expect(await harness.call(synchroniseFollowers, { account: alice.id, listed: [], part: whole })).toEqual({
    ended: 0,
    accepted: 0,
    [olderNames.unknownAccounts]: [],
  })
})

describe('digests of an account with many followers', () => {
  const db = () => harness.db('accounts')
  /** Digests computed from the follows, without stored ones. */
  const countedAnew = async (account: string) =>
    Object.fromEntries((await digestsOf(db(), account, null)).map((row) => [row.origin, hexOfBits(row.bits)]))
  const kept = async (account: string) => {
    const { digests } = await harness.call(followerDigests, { account })
    return { digests, rows: await storedDigestsOf(db(), account, null) }
  }

  test('are computed once and updated from then on', async () => {
    const star = await harness.createAccount('star')
    await db().run(sql`with made as (insert into accounts (id, username, domain, uri, url, display_name, created_at)
        select n, 'fan' || n, 'many.example', 'https://many.example/users/' || n, 'https://many.example/@' || n, '', now()
        from generate_series(1, 25001) n returning id)
      insert into follows (id, account_id, target_id, account_local, created_at)
      select id, id, ${star.id}::bigint, false, now() from made`)
    expect(await harness.call(followerDigests, { account: star.id })).toEqual({ comparable: false, digests: {} })
    await harness.waitForIdle()
    const fans = Array.from({ length: 25_001 }, (_, i) => `https://many.example/users/${i + 1}`)
    const many = digestOf(...fans)
    expect(await harness.call(followerDigests, { account: star.id })).toEqual({
      comparable: true,
      digests: { 'https://many.example': many },
    })
    const ruth = await harness.remote('ruth')
    await apply('follow', ruth, star.id)
    const uri = await uriOf(ruth)
    expect((await kept(star.id)).digests).toEqual({
      'https://many.example': many,
      [new URL(uri).origin]: digestOf(uri),
    })
    expect(await harness.call(followerDigests, { account: star.id, origins: ['https://many.example'] })).toEqual({
      comparable: true,
      digests: { 'https://many.example': many },
    })
    await apply('undo-follow', ruth, star.id)
    expect((await kept(star.id)).digests).toEqual({ 'https://many.example': many })
  })

  test('are right if follows begin and end while they are first computed', async () => {
    const star = await harness.createAccount('rising')
    const accounts = await Promise.all(Array.from({ length: 24 }, (_, i) => harness.remote(`fan${i}`)))
    const [stay, go] = [accounts.slice(0, 12), accounts.slice(12)]
    await Promise.all(go.map((id) => apply('follow', id, star.id)))
    await Promise.all([
      ...stay.map((id) => apply('follow', id, star.id)),
      db().tx((tx) => storeDigests(tx, star.id)),
      ...go.map((id) => apply('undo-follow', id, star.id)),
    ])
    const { digests, rows } = await kept(star.id)
    expect(rows).not.toBeNull()
    expect(digests).toEqual(await countedAnew(star.id))
    const uris = await Promise.all(stay.map(uriOf))
    expect(Object.values(digests)).toEqual([digestOf(...uris)])
  })
})
