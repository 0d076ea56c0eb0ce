/** Tests of maintenance: profiles fetched again, accounts culled, pruned or purged, new keys, and follows of all accounts. */
import * as accounts from '@murmuration/contracts/accounts'
import { PERMISSIONS } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resume } from '../src/task/ticks.js'
import { asked, deletedPictures, emojisDeleted, type Harness, outside, remoteActor, startAccounts } from './harness.js'

let harness: Harness
let call: Harness['call']
beforeAll(async () => {
  harness = await startAccounts()
  call = harness.call
})
afterAll(() => harness.stop())
beforeEach(() => {
  asked.length = 0
})

const db = () => harness.db('accounts')
const ctx = () => harness.host.running.find((one) => one.service === 'accounts')!.ctx
const ended = async ({ id }: { id: string }) => {
  await harness.waitForIdle()
  return call(accounts.showAccountTask, { id })
}
const exists = async (...ids: string[]) => {
  const { records } = await call(accounts.accountRecords, { ids })
  return ids.map((id) => records.some((one) => one.id === id))
}
const old = (...ids: string[]) =>
  db().run(sql`update accounts set fetched_at = now() - interval '8 days' where id = any(${ids}::bigint[])`)
const removedEvents = async () =>
  (await db().rows<{ data: string }>(sql`select data from outbox where subject = 'evt.accounts.account.removed'`)).map(
    (row) => JSON.parse(row.data).id as string,
  )

test('a profile is fetched again immediately, and an account that its server deleted is removed', async () => {
  const id = await harness.remote('rita')
  const { uri } = remoteActor('rita')
  outside.set(uri, remoteActor('rita', { display_name: 'Rita the second' }))
  expect(await call(accounts.refreshAccount, { id })).toEqual({ outcome: 'refreshed' })
  expect((await call(accounts.accountRecords, { ids: [id] })).records[0]?.display_name).toBe('Rita the second')
  outside.set(uri, 'later')
  expect(await call(accounts.refreshAccount, { id })).toEqual({ outcome: 'unavailable' })
  outside.set(uri, 'gone')
  expect(await call(accounts.refreshAccount, { id })).toEqual({ outcome: 'gone' })
  await expect(call(accounts.refreshAccount, { id })).rejects.toMatchObject({ code: 'not_found' })
  const entries = sql`select data::jsonb -> 'after' as after from outbox where subject = ${accounts.userManaged.subject}
    and data::jsonb ->> 'action' = 'refresh_account' order by id`
  expect((await db().rows<{ after: object }>(entries)).map(({ after }) => after)).toEqual([
    { outcome: 'refreshed' },
    { outcome: 'unavailable' },
    { outcome: 'gone' },
  ])
  const local = await harness.createAccount('lara')
  await expect(call(accounts.refreshAccount, { id: local.id })).rejects.toMatchObject({ code: 'forbidden' })
})

test('all profiles of a domain are fetched again, at most thirty per minute, and a dry run sends no requests', async () => {
  const names = Array.from({ length: 35 }, (_, n) => `big${n}`)
  const domain = 'big.example'
  await Promise.all(names.map((name) => harness.remote(name, { domain })))
  await harness.remote('bystander', { domain: 'small.example' })
  for (const name of names) outside.set(remoteActor(name, { domain }).uri, remoteActor(name, { domain }))
  outside.set(remoteActor('big0', { domain }).uri, 'later')
  expect(await ended(await call(accounts.refreshAllAccounts, { domain, dry_run: true }))).toMatchObject({
    state: 'done',
    seen: 35,
    changed: 35,
  })
  expect(asked).toEqual([])
  const task = await call(accounts.refreshAllAccounts, { domain: 'BIG.example' })
  expect(await ended(task)).toMatchObject({ state: 'running', seen: 30 })
  ctx().clock.moveTo(61_000)
  await resume.run(ctx())
  expect(await ended(task)).toMatchObject({ state: 'done', seen: 35, changed: 34, notes: { unavailable: 1 } })
  expect(asked).toHaveLength(35)
  await expect(call(accounts.refreshAllAccounts, { domain: 'no domain' })).rejects.toMatchObject({
    code: 'unprocessable',
  })
})

test('culling removes accounts whose server responds 404 or 410, and no account of an unreachable server', async () => {
  const domain = 'cull.example'
  const make = (name: string) => harness.remote(name, { domain })
  const [gone, missing, down, there, recent] = (await Promise.all(
    ['gone', 'missing', 'down', 'there', 'recent'].map(make),
  )) as [string, string, string, string, string]
  await old(gone, missing, down, there)
  const uri = (name: string) => remoteActor(name, { domain }).uri
  outside.set(uri('gone'), 'gone')
  outside.set(uri('down'), 'later')
  outside.set(uri('there'), remoteActor('there', { domain }))
  const counted = await ended(await call(accounts.cullAccounts, { domains: [domain], dry_run: true }))
  expect(counted).toMatchObject({ state: 'done', seen: 5, changed: 2, notes: { asked: 4, unavailable: 1 } })
  expect(await exists(gone, missing)).toEqual([true, true])
  const culled = await ended(await call(accounts.cullAccounts, { domains: [domain] }))
  expect(culled).toMatchObject({ state: 'done', seen: 5, changed: 2, notes: { asked: 4, unavailable: 1 } })
  expect(await exists(gone, missing, down, there, recent)).toEqual([false, false, true, true, true])
  expect(asked).not.toContain(uri('recent'))
  // The existing account was fetched now, and is not fetched again.
  expect(await ended(await call(accounts.cullAccounts, { domains: [domain] }))).toMatchObject({ notes: { asked: 1 } })
})

test('an account is prunable only without any relation to local accounts, and a week after it became known', async () => {
  const domain = 'prune.example'
  const alice = await harness.createAccount('alice')
  const related: Record<string, (id: string) => Promise<unknown>> = {
    followed: (id) => call(accounts.createFollow, { id }, alice),
    blocked: (id) => call(accounts.createBlock, { id }, alice),
    muted: (id) => call(accounts.createMute, { id }, alice),
    noted: (id) => call(accounts.setNote, { id, comment: 'x' }, alice),
    silenced: (id) => call(accounts.moderateAccount, { id, action: 'silence', stamp: 'staff' }),
    author: (id) => db().run(sql`update account_stats set statuses_count = 1 where account_id = ${id}`),
    follower: (id) =>
      call(accounts.applyRemote, { what: 'follow', actor: id, target: alice.id, uri: 'https://prune.example/1' }),
  }
  const kept = await Promise.all(
    Object.entries(related).map(async ([name, relate]) => {
      const id = await harness.remote(name, { domain })
      await relate(id)
      return id
    }),
  )
  const unrelated = await harness.remote('unrelated', { domain })
  const all = async () => (await call(accounts.accountsPrunable, { after: '0' })).ids
  expect(await all()).not.toContain(unrelated)
  ctx().clock.moveTo(8 * 86_400_000)
  const found = await all()
  expect([found.includes(unrelated), found.filter((id) => kept.includes(id))]).toEqual([true, []])
  expect(await call(accounts.pruneAccounts, { ids: [unrelated, ...kept] })).toEqual({ removed: 1 })
  expect([await exists(unrelated, ...kept), await removedEvents()]).toEqual([
    [false, ...kept.map(() => true)],
    expect.arrayContaining([unrelated]),
  ])
})

test('purging a domain removes its accounts and their relations, and with a flag those below it or on its host', async () => {
  const bob = await harness.createAccount('bob')
  const make = (name: string, domain: string, uri?: string) => harness.remote(name, { domain, ...(uri && { uri }) })
  const followed = await make('one', 'purge.example')
  const below = await make('two', 'sub.purge.example')
  const hosted = await make('three', 'other-purge.example', 'https://purge.example/users/three')
  const beside = await make('four', 'xpurge.example')
  await call(accounts.createFollow, { id: followed }, bob)
  const purge = (more: object) => call(accounts.purgeDomains, { domains: ['PURGE.example'], ...more })
  expect(await ended(await purge({ dry_run: true, below: true }))).toMatchObject({ changed: 2 })
  expect(await ended(await purge({ dry_run: true, by_uri: true }))).toMatchObject({ changed: 2 })
  emojisDeleted.length = 0
  expect(await ended(await purge({}))).toMatchObject({ state: 'done', changed: 1, notes: { custom_emoji: 2 } })
  expect(emojisDeleted).toEqual([{ domain: 'purge.example', below: false, dry_run: false }])
  expect(await exists(followed, below, hosted, beside)).toEqual([false, true, true, true])
  expect(await db().rows(sql`select 1 from follow_requests where account_id = ${bob.id}`)).toEqual([])
  await ended(await purge({ below: true, by_uri: true }))
  expect(await exists(below, hosted, beside)).toEqual([false, false, true])
  await expect(purge({ domains: [harness.origin.split('/')[2] ?? ''] })).rejects.toMatchObject({
    code: 'unprocessable',
  })
})

test('a domain with more accounts than a chunk is purged completely', async () => {
  await db().run(sql`insert into accounts (id, username, domain, uri, url, created_at)
    select 5000000 + n, 'm' || n, 'many.example', 'https://many.example/' || n, '', now() from generate_series(1, 120) n`)
  const task = await ended(await call(accounts.purgeDomains, { domains: ['many.example', 'none.example'] }))
  expect(task).toMatchObject({ state: 'done', seen: 120, changed: 120 })
})

test('a new key replaces the old one, which federation still receives for the Update of the profile', async () => {
  const { id } = await harness.createAccount('carol')
  const keyOf = async () => (await call(accounts.signingKey, { ids: [id] })).keys[id]
  const before = await keyOf()
  expect(await call(accounts.rotateKeys, { id })).toEqual({})
  const after = await keyOf()
  expect(after?.publicPem).not.toBe(before?.publicPem)
  expect([after?.keyId, after?.previousPem]).toEqual([before?.keyId, before?.privatePem])
  const task = await call(accounts.rotateAllKeys, { delay: '0' })
  expect(await ended(task)).toMatchObject({ kind: 'rotate-keys', state: 'done' })
  expect((await keyOf())?.previousPem).toBe(after?.privatePem)
  const changed = await db().rows<{ data: string }>(
    sql`select data from outbox where subject = ${`evt.${accounts.accountChanged.name}`} order by id`,
  )
  expect(changed.map((row) => JSON.parse(row.data)).filter((one) => one.id === id)).toMatchObject([
    { profile: true },
    { profile: true },
  ])
  const acts = await db().rows<{ data: string }>(
    sql`select data from outbox where subject = 'evt.accounts.task.started'`,
  )
  expect(acts.map((row) => JSON.parse(row.data).action)).toContain('rotate_keys_accounts')
})

test('all active local accounts follow an account, and the follows end again', async () => {
  const star = await harness.createAccount('star')
  const hater = await harness.createAccount('hater')
  const fan = await harness.createAccount('fan')
  await call(accounts.createBlock, { id: star.id }, hater)
  await call(accounts.createFollow, { id: star.id }, fan)
  const confirmed = (await db().rows(sql`select 1 from users where confirmed_at is not null`)).length
  const count = async () => (await call(accounts.showAccount, { id: star.id })).followers_count
  const followed = await ended(await call(accounts.followAccounts, { id: star.id }))
  expect(followed).toMatchObject({ state: 'done', seen: confirmed, changed: confirmed - 3 })
  expect(await count()).toBe(confirmed - 2)
  expect(await ended(await call(accounts.unfollowAccounts, { id: star.id, dry_run: true }))).toMatchObject({
    changed: confirmed - 2,
  })
  expect(await ended(await call(accounts.unfollowAccounts, { id: star.id }))).toMatchObject({ changed: confirmed - 2 })
  expect(await count()).toBe(0)
  const remote = await harness.remote('faraway')
  await expect(call(accounts.followAccounts, { id: remote })).rejects.toMatchObject({ code: 'unprocessable' })
})

test('copies of profile pictures are removed for accounts not fetched for days, with follows only on request', async () => {
  const domain = 'pictures.example'
  ctx().clock.moveTo(0)
  const lena = await harness.createAccount('lena')
  const [followed, stale, fresh] = (await Promise.all(
    ['followed', 'stale', 'fresh'].map((name) => harness.remote(name, { domain })),
  )) as [string, string, string]
  const uri = 'https://pictures.example/follows/1'
  await call(accounts.applyRemote, { what: 'follow', actor: followed, target: lena.id, uri })
  await db().run(sql`update accounts set fetched_at = now() where domain is not null`)
  await old(followed, stale)
  const remove = async (more: object) => {
    deletedPictures.length = 0
    const task = await ended(await call(accounts.removeProfileMedia, more))
    return { task, asked: deletedPictures.flatMap((one) => one.owners), kinds: deletedPictures[0]?.kinds }
  }
  const counted = await remove({ dry_run: true })
  expect(counted).toMatchObject({ task: { changed: 1, bytes: 10, dry_run: true }, asked: [stale] })
  expect(deletedPictures[0]?.dry_run).toBe(true)
  expect(await remove({})).toMatchObject({ task: { changed: 1 }, asked: [stale], kinds: ['avatar', 'header'] })
  const all = await remove({ include_follows: true, headers_only: true })
  expect([all.asked.toSorted(), all.kinds]).toEqual([[followed, stale].toSorted(), ['header']])
  expect((await remove({ days: 0, include_follows: true })).asked).toContain(fresh)
})

test('staff stops only tasks of kinds that it may start', async () => {
  await db().run(sql`insert into tasks (id, kind, input, dry_run, next_at, created_at, updated_at)
    values (77, 'cull-accounts', '{"domains":[]}', false, now() + interval '1 hour', now(), now())`)
  const by = (permission: keyof typeof PERMISSIONS) => viewer('9', { permissions: PERMISSIONS[permission] })
  await expect(call(accounts.stopAccountTask, { id: '77' }, by('view_dashboard'))).rejects.toMatchObject({
    code: 'forbidden',
  })
  expect(await call(accounts.stopAccountTask, { id: '77' }, by('manage_federation'))).toMatchObject({
    state: 'stopped',
  })
  expect((await call(accounts.listAccountTasks, { limit: 1 }))[0]?.kind).toBeDefined()
})
