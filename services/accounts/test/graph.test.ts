/** Tests of relationships and counters that other services read. */

import {
  accountAdminRecords,
  accountCards,
  accountCounts,
  accountDomains,
  addListMembers,
  applyRemote,
  audience,
  blockerInboxes,
  createBlock,
  createDomainBlock,
  createFollow,
  createList,
  createMute,
  findAccount,
  followedElsewhere,
  followees,
  listRelationshipsOfViewers,
  listRelationshipsToAuthor,
  listViewerRelationships,
  moderateAccount,
  remoteInboxes,
  resolveToken,
  rolesOf,
  usersByWeek,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { olderNames } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
let star: Viewer
let fans: Viewer[]
beforeAll(async () => {
  harness = await startAccounts()
  star = await harness.createAccount('star')
  fans = [await harness.createAccount('fan1'), await harness.createAccount('fan2'), await harness.createAccount('fan3')]
  for (const fan of fans) await harness.call(createFollow, { id: star.id }, fan)
})
afterAll(() => harness.stop())

const input = { author: '', activeDays: 7 }
const idsOf = (list: readonly { id: string }[]) => list.map((one) => one.id)
const sorted = (list: readonly Viewer[]) => idsOf(list).sort((a, b) => Number(BigInt(a) - BigInt(b)))

test('the audience is returned in pages by id, with options and lists, and without inactive accounts', async () => {
  const [first, second, third] = fans
  await harness.call(createFollow, { id: star.id, notify: true, reblogs: false, languages: ['en'] }, first)
  const list = await harness.call(createList, { title: 'Stars', exclusive: true, replies_policy: 'none' }, first)
  await harness.call(addListMembers, { id: list.id, account_ids: [star.id] }, first)
  const page = await harness.call(audience, { ...input, author: star.id, limit: 2 })
  expect(page.followers).toHaveLength(2)
  expect(page.next).toBe(page.followers[1]?.id)
  const rest = await harness.call(audience, { ...input, author: star.id, limit: 2, after: page.next ?? '' })
  expect(rest.next).toBeNull()
  const all = [...page.followers, ...rest.followers]
  expect(idsOf(all)).toEqual(sorted(fans))
  expect(all.find((one) => one.id === first!.id)).toEqual({
    id: first!.id,
    reblogs: false,
    aggregate: true,
    notify: true,
    languages: ['en'],
    lists: [{ id: list.id, exclusive: true, replies: 'none' }],
  })
  await harness
    .db('accounts')
    .run(sql`update users set active_at = now() - interval '8 days' where account_id = ${second!.id}`)
  expect(idsOf((await harness.call(audience, { ...input, author: star.id })).followers)).not.toContain(second!.id)
  expect(idsOf((await harness.call(audience, { ...input, author: star.id, activeDays: 30 })).followers)).toContain(
    second!.id,
  )
  const own = await harness.call(createList, { title: 'with me' }, star)
  await harness.call(addListMembers, { id: own.id, account_ids: [star.id] }, star)
  const compact = { ...input, author: star.id, compact: true, limit: 1 }
  const top = await harness.call(audience, compact)
  expect(top.own).toEqual([own.id])
  expect(await harness.call(audience, { ...compact, after: top.next ?? '' })).not.toHaveProperty('own')
  const about = await harness.call(audience, { ...input, author: first!.id, about: [third!.id, star.id, '5'] })
  expect(idsOf(about.followers)).toEqual(sorted([third!, star]))
  expect((await harness.call(followees, { id: first!.id })).followees).toEqual([
    { id: star.id, reblogs: false, languages: ['en'], exclusive: true },
  ])
})

test('relationships are the same from either side, and a block applies to the next request', async () => {
  const [first, , third] = fans
  await harness.call(createMute, { id: star.id, notifications: false }, third)
  await harness.call(createBlock, { id: first!.id }, star)
  const { [olderNames.relationships]: ofViewer } = await harness.call(listViewerRelationships, {
    viewer: first!.id,
    authors: [star.id, third!.id, '9'],
  })
  expect(Object.keys(ofViewer).sort()).toEqual([star.id, third!.id].sort())
  expect(ofViewer[star.id]).toMatchObject({ following: false, blocked_by: true, blocking: false })
  const { [olderNames.relationships]: all } = await harness.call(listRelationshipsToAuthor, {
    author: star.id,
    viewers: idsOf(fans),
  })
  expect(all[first!.id]).toEqual(ofViewer[star.id])
  expect(all[third!.id]).toMatchObject({ following: true, muting: true, muting_notifications: false })
  const { [olderNames.relationships]: back } = await harness.call(listViewerRelationships, {
    viewer: star.id,
    authors: [third!.id],
  })
  expect(back[third!.id]).toMatchObject({ followed_by: true, followed_by_since: expect.stringMatching(/Z$/) })
  const asked = { [first!.id]: [star.id, third!.id, '9'], [star.id]: [third!.id], '9': [star.id], [third!.id]: [] }
  const { [olderNames.relationships]: relationships } = await harness.call(listRelationshipsOfViewers, { asked })
  expect(relationships[first!.id]).toEqual(ofViewer)
  expect(relationships[star.id]).toEqual(back)
  expect(relationships[third!.id] ?? {}).toEqual({})
  expect(relationships['9']?.[star.id]).toMatchObject({ following: false, followed_by: false, blocking: false })
})

test('remote inboxes are returned once each, in pages by address', async () => {
  for (const [name, more] of Object.entries({
    a: {},
    b: {},
    c: { domain: 'other.example' },
    d: { domain: 'alone.example', shared_inbox_url: null },
  })) {
    const actor = await harness.remote(name, more)
    await harness.call(applyRemote, { what: 'follow', actor, target: star.id, uri: null })
  }
  expect(await harness.call(followedElsewhere, { ids: [fans[1]!.id, star.id, '1'] })).toEqual({ ids: [star.id] })
  const first = await harness.call(remoteInboxes, { author: star.id, limit: 2 })
  expect(first).toEqual({
    inboxes: ['https://alone.example/users/d/inbox', 'https://other.example/inbox'],
    next: 'https://other.example/inbox',
  })
  expect(await harness.call(remoteInboxes, { author: star.id, limit: 2, after: first.next ?? '' })).toEqual({
    inboxes: ['https://remote.example/inbox'],
    next: null,
  })
  await harness.remote('a', { shared_inbox_url: 'https://remote.example/moved' })
  expect((await harness.call(remoteInboxes, { author: star.id })).inboxes).toContain('https://remote.example/moved')
})

test('inboxes on servers that an account blocks are left out, and pages continue after them', async () => {
  const speaker = fans[0]!
  await harness.call(createDomainBlock, { domain: 'other.example' }, speaker)
  const first = await harness.call(remoteInboxes, { author: star.id, unblockedBy: speaker.id, limit: 2 })
  expect(first).toEqual({ inboxes: ['https://alone.example/users/d/inbox'], next: 'https://other.example/inbox' })
  const rest = await harness.call(remoteInboxes, { author: star.id, unblockedBy: speaker.id, after: first.next ?? '' })
  expect(rest.inboxes).toContain('https://remote.example/moved')
})

test('inboxes of remote blockers are returned once each, in pages by address', async () => {
  for (const [name, domain] of Object.entries({ k: 'remote.example', l: 'remote.example', m: 'other.example' })) {
    const actor = await harness.remote(name, { domain })
    await harness.call(applyRemote, { what: 'block', actor, target: star.id, uri: null })
  }
  const first = await harness.call(blockerInboxes, { account: star.id, limit: 1 })
  expect(first).toEqual({ inboxes: ['https://other.example/inbox'], next: 'https://other.example/inbox' })
  expect(await harness.call(blockerInboxes, { account: star.id, after: first.next ?? '' })).toEqual({
    inboxes: ['https://remote.example/inbox'],
    next: null,
  })
})

test('cards are returned by id, in one response however many there are', async () => {
  const ids = Array.from({ length: 600 }, (_, i) => String(1_000 + i))
  await harness.db('accounts').run(sql`insert into accounts (id, username, domain, uri, url, note_html, created_at)
    select n, 'many' || n, 'many.example', 'https://many.example/' || n, 'https://many.example/@' || n, repeat('x', 1500), now()
    from generate_series(1000, 1599) n`)
  const cards = await harness.call(accountCards, { ids: [...ids, '5'] })
  expect([...cards.keys()]).toEqual(ids)
  expect(JSON.parse(cards.get('1000') ?? '')).toMatchObject({ id: '1000', acct: 'many1000@many.example' })
})

test('statistics count local users and known domains', async () => {
  await harness.createAccount('unconfirmed', { confirmed: false })
  const gone = await harness.createAccount('suspended')
  await harness.call(moderateAccount, { id: gone.id, action: 'suspend', stamp: 'staff' })
  await harness
    .db('accounts')
    .run(sql`update users set active_at = now() - interval '31 days' where account_id = ${fans[1]!.id}`)
  const counts = { users: 4, activeMonth: 3, activeHalfyear: 4, domains: 4 }
  expect(await harness.call(accountCounts, {})).toEqual({ ...counts, invitesEnabled: true })
  const setInvites = (permissions: number) =>
    harness.db('accounts').run(sql`update roles set permissions = ${permissions} where id = -99`)
  await setInvites(0)
  expect(await harness.call(accountCounts, {})).toEqual({ ...counts, invitesEnabled: false })
  await setInvites(DEFAULT_ROLES.everyone.permissions)
})

test('S-039 S-040 S-041 S-201 counts include confirmed accounts that are not suspended, active in 30 and in 180 days', async () => {
  const figures = async () => {
    const { users, activeMonth, activeHalfyear } = await harness.call(accountCounts, {})
    return { users, activeMonth, activeHalfyear }
  }
  const before = await figures()
  const account = await harness.createAccount('counted')
  const seen = (ago: string) =>
    harness
      .db('accounts')
      .run(sql`update users set active_at = now() - ${ago}::interval where account_id = ${account.id}`)
  const plus = (month: number, halfyear: number, users = 1) => ({
    users: before.users + users,
    activeMonth: before.activeMonth + month,
    activeHalfyear: before.activeHalfyear + halfyear,
  })
  await seen('29 days 23 hours 59 minutes')
  expect(await figures()).toEqual(plus(1, 1))
  await seen('30 days 1 minute')
  expect(await figures()).toEqual(plus(0, 1))
  await seen('179 days 23 hours 59 minutes')
  expect(await figures()).toEqual(plus(0, 1))
  await seen('180 days 1 minute')
  expect(await figures()).toEqual(plus(0, 0))
  await seen('0 days')
  await harness.db('accounts').run(sql`update users set confirmed_at = null where account_id = ${account.id}`)
  expect(await figures()).toEqual(plus(0, 0, 0))
  await harness.db('accounts').run(sql`update users set confirmed_at = now() where account_id = ${account.id}`)
  await harness.call(moderateAccount, { id: account.id, action: 'suspend', stamp: 'staff' })
  expect(await figures()).toEqual(plus(0, 0, 0))
})

test('weeks count active and new users, and domains are listed', async () => {
  const day = 86_400_000
  const now = Date.now()
  const monday = now - ((now - 4 * day) % (7 * day))
  const { weeks } = await harness.call(usersByWeek, { mondays: [monday, monday - 7 * day] })
  expect(weeks[0]?.registrations).toBeGreaterThanOrEqual(5)
  expect(weeks[0]?.logins).toBe(weeks[0]?.registrations)
  expect(weeks[1]).toEqual({ logins: 0, registrations: 0 })
  const { domains } = await harness.call(accountDomains, {})
  expect(domains).toContain('many.example')
  expect(domains).toHaveLength(4)
})

test('holders of a permission are active staff accounts', async () => {
  const mod = await harness.createAccount('mod', { role: 'Moderator' })
  const owner = await harness.createAccount('owner', { role: 'Owner' })
  const off = await harness.createAccount('off', { role: 'Moderator' })
  await harness.call(moderateAccount, { id: off.id, action: 'disable', stamp: 'staff' })
  expect((await harness.call(rolesOf, { permission: 'manage_reports' })).accountIds).toEqual(sorted([mod, owner]))
  expect((await harness.call(rolesOf, { permission: 'manage_roles' })).accountIds).toEqual([owner.id])
  expect((await harness.call(rolesOf, { permission: 'constructor' })).accountIds).toEqual([])
})

test('A066 A093 a token of a disabled or suspended user has that state immediately', async () => {
  const eve = await harness.createAccount('eve')
  const token = await harness.token('eve')
  const state = async () => (await harness.call(resolveToken, { token, ip: null })).found?.state
  expect(await state()).toBe('ok')
  await harness.call(moderateAccount, { id: eve.id, action: 'disable', stamp: 'staff' })
  expect(await state()).toBe('disabled')
  await harness.call(moderateAccount, { id: eve.id, action: 'suspend', stamp: 'staff' })
  expect(await state()).toBe('suspended')
  await harness.call(moderateAccount, { id: eve.id, action: 'unsuspend', stamp: 'staff' })
  await harness.call(moderateAccount, { id: eve.id, action: 'enable', stamp: 'staff' })
  expect(await state()).toBe('ok')
})

test('S-141 a search that permits only exact handles finds no other account', async () => {
  const wish = { viewer: null, q: 'fan', limit: 20 }
  expect((await harness.call(findAccount, wish)).ids).toHaveLength(3)
  expect((await harness.call(findAccount, { ...wish, exact: true })).ids).toEqual([])
  expect((await harness.call(findAccount, { ...wish, q: '@fan1', exact: true })).ids).toEqual([fans[0]!.id])
})

test('moderators see user, role, IP addresses and the origin of a suspension', async () => {
  const eve = await harness.createAccount('evelyn', { role: 'Moderator' })
  const rita = await harness.remote('gonethere', { suspended: true })
  await harness.call(resolveToken, { token: await harness.token('evelyn'), ip: '192.0.2.7' })
  await harness.db('accounts').run(sql`insert into sign_ins (user_id, ip, used_at)
    select id, '2001:db8::1', now() - interval '2 days' from users where account_id = ${eve.id}`)
  const { records } = await harness.call(accountAdminRecords, { ids: [rita, eve.id, '5'] })
  const of = (id: string) => records.find((one) => one.id === id)
  expect(records).toHaveLength(2)
  expect(of(eve.id)).toMatchObject({
    position: 10,
    suspended_locally: false,
    account: {
      email: 'evelyn@mail.example',
      confirmed: true,
      approved: true,
      role: { name: 'Moderator' },
      account: { id: eve.id, acct: 'evelyn' },
      ip: '2001:db8::1',
    },
  })
  expect(of(rita)).toMatchObject({
    position: null,
    suspended_locally: false,
    account: { suspended: true, email: null, approved: null, role: null, ips: [] },
  })
  await harness.call(moderateAccount, { id: eve.id, action: 'suspend', stamp: 'staff' })
  expect((await harness.call(accountAdminRecords, { ids: [eve.id] })).records[0]?.suspended_locally).toBe(true)
})
