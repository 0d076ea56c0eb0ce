/** Tests of the state that feeds read: blocks, mutes, followers of a replied account, and chosen languages. */
import {
  addListMembers,
  audience,
  chosenLanguages,
  createBlock,
  createDomainBlock,
  createFollow,
  createList,
  createMute,
  feedRelationships,
  mutuallyHidden,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
let accounts: Viewer[]
beforeAll(async () => {
  harness = await startAccounts()
  accounts = [
    await harness.createAccount('ann'),
    await harness.createAccount('bob'),
    await harness.createAccount('cat'),
    await harness.createAccount('dan'),
  ]
})
afterAll(() => harness.stop())

test('only viewers with a block or mute are returned, each with the reasons', async () => {
  const [ann, bob, cat, dan] = accounts as [Viewer, Viewer, Viewer, Viewer]
  await harness.call(createBlock, { id: dan.id }, ann)
  await harness.call(createMute, { id: dan.id }, bob)
  await harness.call(createFollow, { id: cat.id }, bob)
  const viewers = [ann.id, bob.id, cat.id]
  const none = { blocking: false, muting: false, blocked_by: false, domain_blocking: false }
  expect(await harness.call(feedRelationships, { viewers, named: [dan.id, cat.id], answers: cat.id })).toEqual({
    apart: { [ann.id]: [{ id: dan.id, ...none, blocking: true }], [bob.id]: [{ id: dan.id, ...none, muting: true }] },
    following: [bob.id],
  })
  expect((await harness.call(feedRelationships, { viewers: [dan.id], named: [ann.id], answers: null })).apart).toEqual({
    [dan.id]: [{ id: ann.id, ...none, blocked_by: true }],
  })
  expect((await harness.call(mutuallyHidden, { named: [dan.id, ann.id] })).apart).toEqual({
    [ann.id]: [{ id: dan.id, ...none, blocking: true }],
    [bob.id]: [{ id: dan.id, ...none, muting: true }],
    [dan.id]: [{ id: ann.id, ...none, blocked_by: true }],
  })
  expect((await harness.call(mutuallyHidden, { named: [] })).apart).toEqual({})
  await harness.call(createDomainBlock, { domain: 'far.example' }, cat)
  await harness.db('accounts').run(sql`update accounts set domain = 'far.example' where id = ${dan.id}`)
  expect((await harness.call(feedRelationships, { viewers: [cat.id], named: [dan.id], answers: null })).apart).toEqual({
    [cat.id]: [{ id: dan.id, ...none, domain_blocking: true }],
  })
  expect((await harness.call(mutuallyHidden, { named: [dan.id] })).apart).toMatchObject({
    [cat.id]: [{ id: dan.id, ...none, domain_blocking: true }],
  })
})

test('blocks and mutes are found among many viewers, for accounts with few and with many of them', async () => {
  const [loud, ann] = [await harness.createAccount('loud'), await harness.createAccount('annoyed')]
  const others = Array.from({ length: 60 }, (_, i) => String(1_000_000 + i))
  const apart = async () =>
    (await harness.call(feedRelationships, { viewers: [...others, ann.id], named: [loud.id], answers: null })).apart
  await harness.call(createMute, { id: loud.id }, ann)
  const none = { blocking: false, muting: false, blocked_by: false, domain_blocking: false }
  expect(await apart()).toEqual({ [ann.id]: [{ id: loud.id, ...none, muting: true }] })
  await harness.call(createBlock, { id: loud.id }, ann)
  const both = { [ann.id]: [{ id: loud.id, ...none, blocking: true, muting: true }] }
  expect((await harness.call(mutuallyHidden, { named: [loud.id] })).apart).toEqual(both)
  // Remote accounts are inserted as rows, because seven hundred sign-ups would take a minute.
  await harness.db('accounts').run(sql`with added as (
      insert into accounts (id, username, domain, uri, url, created_at)
      select n, 'added' || n, 'far.example', 'https://far.example/' || n, 'https://far.example/@' || n, now()
      from generate_series(2000000, 2000700) as n returning id
    ) insert into blocks (id, account_id, target_id, created_at) select id, id, ${loud.id}::bigint, now() from added`)
  expect(await apart()).toEqual(both)
  expect((await harness.call(mutuallyHidden, { named: [loud.id] })).apart).toBeNull()
})

test('accounts that read all languages are left out', async () => {
  const [ann, bob] = accounts as [Viewer, Viewer]
  await harness
    .db('accounts')
    .run(sql`update preferences set chosen_languages = ${['de', 'en']} where account_id = ${ann.id}`)
  expect(await harness.call(chosenLanguages, { ids: [ann.id, bob.id] })).toEqual({ chosen: { [ann.id]: ['de', 'en'] } })
})

test('followers that want each boost are marked', async () => {
  const star = await harness.createAccount('booster')
  const [each, once] = [await harness.createAccount('each'), await harness.createAccount('once')]
  for (const fan of [each, once]) await harness.call(createFollow, { id: star.id }, fan)
  await harness.db('accounts').run(sql`update preferences set aggregate_reblogs = false where account_id = ${each.id}`)
  const page = await harness.call(audience, { author: star.id, activeDays: 7, compact: true })
  expect(page.plain).toEqual([once.id])
  expect(page.followers).toMatchObject([{ id: each.id, aggregate: false }])
  const about = await harness.call(audience, { author: star.id, activeDays: 7, about: [each.id, once.id] })
  expect(about.followers.map((one) => [one.id, one.aggregate])).toEqual([
    [each.id, false],
    [once.id, true],
  ])
})

test('followers with default settings are returned as ids, the others as objects', async () => {
  const star = await harness.createAccount('star')
  const fans: Viewer[] = []
  for (const name of ['plain1', 'plain2', 'quiet', 'lister', 'picky', 'originals'])
    fans.push(await harness.createAccount(name))
  for (const fan of fans) await harness.call(createFollow, { id: star.id }, fan)
  const [, , quiet, lister, picky, originals] = fans as Viewer[]
  await harness.call(createMute, { id: star.id }, quiet)
  const list = await harness.call(createList, { title: 'Stars' }, lister)
  await harness.call(addListMembers, { id: list.id, account_ids: [star.id] }, lister)
  await harness.call(createFollow, { id: star.id, languages: ['de'] }, picky)
  await harness.call(createFollow, { id: star.id, reblogs: false }, originals)
  const request = (after?: string) =>
    harness.call(audience, { author: star.id, activeDays: 7, limit: 4, compact: true, after })
  const first = await request()
  expect(first.plain).toEqual([fans[0]?.id, fans[1]?.id])
  expect(first.followers.map((one) => [one.id, one.muting, one.lists.length])).toEqual([
    [quiet?.id, true, 0],
    [lister?.id, false, 1],
  ])
  expect(first.next).toBe(lister?.id)
  const second = await request(first.next ?? '')
  expect(second).toMatchObject({
    plain: [],
    followers: [
      { id: picky?.id, languages: ['de'] },
      { id: originals?.id, reblogs: false },
    ],
    next: null,
  })
})
