/** Tests of blocks, mutes, domain blocks, notes, endorsements and relationships. */
import {
  applyRemote,
  createBlock,
  createDomainBlock,
  createEndorsement,
  createFollow,
  createList,
  createMute,
  listBlocks,
  listDomainBlocks,
  listEndorsements,
  listEndorsementsOf,
  listFamiliarFollowers,
  listFollowees,
  listFollowers,
  listMutes,
  listRelationships,
  previewDomainBlock,
  removeBlock,
  removeDomainBlock,
  removeEndorsement,
  removeFollow,
  removeMute,
  setNote,
  updateCredentials,
} from '@murmuration/contracts/accounts'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireMutes } from '../src/mute/ticks.js'
import { expectGolden } from './golden.js'
import { type Harness, startAccounts } from './harness.js'

let harness: Harness
beforeAll(async () => {
  harness = await startAccounts()
})
afterAll(() => harness.stop())

let n = 0
const createAccounts = async (count: number): Promise<Viewer[]> =>
  Promise.all(Array.from({ length: count }, () => harness.createAccount(`r${n++}`, { password: 'a long password' })))
const relation = async (as: Viewer, id: string) => (await harness.call(listRelationships, { id: [id] }, as))[0]
const ids = (accounts: readonly { id: string }[]) => accounts.map((one) => one.id)
const announced = async (subject: string) =>
  (
    await harness
      .db('accounts')
      .rows<{ data: string }>(sql`select data from outbox where subject = ${`evt.${subject}`} order by id`)
  ).map((row) => JSON.parse(row.data))

test('S-124 relationships keep the order of the request, each id once, without unknown ones', async () => {
  const [alice, bob, carol] = await createAccounts(3)
  const found = await harness.call(listRelationships, { id: [carol!.id, bob!.id, carol!.id, '42', 'x'] }, alice)
  expect(ids(found)).toEqual([carol!.id, bob!.id])
  expect(ids(await harness.call(listRelationships, { id: [bob!.id, carol!.id] }, alice))).toEqual([bob!.id, carol!.id])
  expect(await harness.call(listRelationships, {}, alice)).toEqual([])
  await expectGolden('relationship-none', await relation(alice!, bob!.id), harness.origin, { bob: bob!.id })
})

test('S-008 a block can be repeated, listed and removed, and has no effect on the own account', async () => {
  const [alice, bob] = await createAccounts(2)
  await harness.call(createBlock, { id: bob!.id }, alice)
  expect(await harness.call(createBlock, { id: bob!.id }, alice)).toMatchObject({ blocking: true })
  expect(ids(await harness.call(listBlocks, {}, alice))).toEqual([bob!.id])
  expect(await harness.call(removeBlock, { id: bob!.id }, alice)).toMatchObject({ blocking: false })
  expect(await harness.call(listBlocks, {}, alice)).toEqual([])
  expect(await harness.call(createBlock, { id: alice!.id }, alice)).toMatchObject({ blocking: false })
  await expect(harness.call(createBlock, { id: '5' }, alice)).rejects.toMatchObject({ code: 'not_found' })
  expect((await announced('accounts.block.created')).filter((one) => one.from === alice!.id)).toHaveLength(1)
})

test('S-007 a mute expires, for readers also before the tick deletes it', async () => {
  const [alice, bob] = await createAccounts(2)
  await harness.call(createFollow, { id: bob!.id }, alice)
  expect(await harness.call(createMute, { id: bob!.id }, alice)).toMatchObject({
    muting: true,
    muting_notifications: true,
    muting_expires_at: null,
    following: true,
  })
  const timed = await harness.call(createMute, { id: bob!.id, notifications: 'false', duration: '3600' }, alice)
  expect(timed).toMatchObject({ muting: true, muting_notifications: false })
  expect(timed.muting_expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const left = Date.parse(timed.muting_expires_at ?? '') - Date.now()
  expect(left).toBeGreaterThan(3_500_000)
  expect(left).toBeLessThanOrEqual(3_600_000)
  const [listed] = await harness.call(listMutes, {}, alice)
  expect(listed).toMatchObject({ id: bob!.id, mute_expires_at: timed.muting_expires_at })
  expect(await relation(alice!, bob!.id)).toMatchObject({ muting_expires_at: timed.muting_expires_at })
  const permanent = await harness.call(createMute, { id: bob!.id, duration: '0' }, alice)
  expect(permanent).toMatchObject({ muting: true, muting_notifications: true, muting_expires_at: null })
  expect((await harness.call(listMutes, {}, alice))[0]).toMatchObject({ id: bob!.id, mute_expires_at: null })

  await harness
    .db('accounts')
    .run(sql`update mutes set expires_at = now() - interval '1 second' where account_id = ${alice!.id}`)
  expect(await relation(alice!, bob!.id)).toMatchObject({ muting: false, muting_notifications: false })
  expect(await harness.call(listMutes, {}, alice)).toEqual([])
  const host = harness.host.running.find((one) => one.service === 'accounts')
  await expireMutes.run(host?.ctx)
  expect(await announced('accounts.mute.removed')).toContainEqual(
    expect.objectContaining({ from: alice!.id, to: bob!.id }),
  )
  expect(await harness.db('accounts').rows(sql`select 1 from mutes where account_id = ${alice!.id}`)).toEqual([])
})

test('the end of a mute rebuilds the lists of its owner, also if the mute expires', async () => {
  const [alice, bob, carol] = await createAccounts(3)
  const lists = [
    await harness.call(createList, { title: 'one' }, alice),
    await harness.call(createList, { title: 'two' }, alice),
  ]
  await harness.call(createList, { title: 'of another account' }, bob)
  const rebuilt = async () =>
    (await announced('accounts.list.changed')).filter((one) => one.owner === alice!.id).map((one) => one.id)
  await harness.call(createMute, { id: bob!.id }, alice)
  await harness.call(createMute, { id: carol!.id, duration: '3600' }, alice)
  expect(await rebuilt()).toEqual([])
  await harness.call(removeMute, { id: bob!.id }, alice)
  const all = lists.map((one) => one.id)
  expect((await rebuilt()).toSorted()).toEqual(all.toSorted())
  await harness
    .db('accounts')
    .run(sql`update mutes set expires_at = now() - interval '1 second' where account_id = ${alice!.id}`)
  await expireMutes.run(harness.host.running.find((one) => one.service === 'accounts')?.ctx)
  expect((await rebuilt()).toSorted()).toEqual([...all, ...all].toSorted())
  expect((await announced('accounts.list.changed')).filter((one) => one.owner === bob!.id)).toEqual([])
})

test('an unmute may be repeated, and an invalid duration is refused', async () => {
  const [alice, bob] = await createAccounts(2)
  await harness.call(createMute, { id: bob!.id, duration: 0 }, alice)
  expect(await harness.call(removeMute, { id: bob!.id }, alice)).toMatchObject({ muting: false })
  expect(await harness.call(removeMute, { id: bob!.id }, alice)).toMatchObject({ muting: false })
  await expect(harness.call(createMute, { id: bob!.id, duration: -1 }, alice)).rejects.toMatchObject({ status: 422 })
  const text = harness.call(createMute, { id: bob!.id, duration: 'permanently' }, alice)
  await expect(text).rejects.toMatchObject({ status: 422, message: 'Validation failed: Duration is invalid' })
})

test('S-128 own lists contain muted accounts, and lists of others leave them out', async () => {
  const [alice, bob, carol] = await createAccounts(3)
  await harness.call(createFollow, { id: alice!.id }, bob)
  await harness.call(createFollow, { id: carol!.id }, bob)
  await harness.call(createMute, { id: bob!.id }, alice)
  expect(ids(await harness.call(listFollowers, { id: alice!.id }, alice))).toEqual([bob!.id])
  expect(ids(await harness.call(listFollowers, { id: carol!.id }, alice))).toEqual([])
  for (const one of [alice, carol]) await harness.call(createFollow, { id: bob!.id }, one)
  expect(ids(await harness.call(listFollowees, { id: alice!.id }, alice))).toEqual([bob!.id])
  expect(ids(await harness.call(listFollowees, { id: carol!.id }, alice))).toEqual([])
})

test('A101 a domain block ends all relationships with the domain, is stored normalised, and can be previewed', async () => {
  const [alice] = await createAccounts(1)
  const rita = await harness.remote('rita', { domain: 'xn--bse-sna.example' })
  const vera = await harness.remote('vera', { domain: 'xn--bse-sna.example', locked: true })
  const other = await harness.remote('other', { domain: 'good.example' })
  await harness.call(applyRemote, { what: 'follow', actor: rita, target: alice!.id, uri: 'https://x/1' })
  await harness.call(createFollow, { id: vera }, alice)
  await harness.call(applyRemote, { what: 'follow', actor: other, target: alice!.id, uri: 'https://x/2' })
  expect(await harness.call(previewDomainBlock, { domain: 'Böse.example' }, alice)).toEqual({
    following_count: 0,
    followers_count: 1,
  })
  await harness.call(createDomainBlock, { domain: ' Böse.Example. ' }, alice)
  await harness.call(createDomainBlock, { domain: 'xn--bse-sna.example' }, alice)
  expect(await harness.call(listDomainBlocks, {}, alice)).toEqual(['xn--bse-sna.example'])
  expect(await relation(alice!, rita)).toMatchObject({ domain_blocking: true, followed_by: false })
  expect(await relation(alice!, vera)).toMatchObject({ requested: false })
  expect(await relation(alice!, other)).toMatchObject({ followed_by: true, domain_blocking: false })
  expect(await announced('accounts.follow.removed')).toContainEqual(
    expect.objectContaining({ from: rita, to: alice!.id, byTarget: true }),
  )
  expect(await announced('accounts.domain-block.created')).toContainEqual({
    id: alice!.id,
    domain: 'xn--bse-sna.example',
  })
  await expect(harness.call(createFollow, { id: rita }, alice)).rejects.toMatchObject({ code: 'forbidden' })
  const again = { what: 'follow' as const, actor: rita, target: alice!.id, uri: 'https://x/3' }
  expect(await harness.call(applyRemote, again)).toEqual({ outcome: 'refused' })
  await harness.call(removeDomainBlock, { domain: 'BÖSE.example' }, alice)
  expect(await harness.call(listDomainBlocks, {}, alice)).toEqual([])
  for (const domain of ['', 'not a domain', 'a/b'])
    await expect(harness.call(createDomainBlock, { domain }, alice)).rejects.toMatchObject({ status: 422 })
})

test('S-006 S-067 a note is stored, changed, deleted if blank, and at most 2,000 characters', async () => {
  const [alice, bob] = await createAccounts(2)
  const set = (comment: string | null) => harness.call(setNote, { id: bob!.id, comment }, alice)
  expect(await set('met at a fair')).toMatchObject({ note: 'met at a fair' })
  expect(await set('ü'.repeat(2_000))).toMatchObject({ note: 'ü'.repeat(2_000) })
  await expect(set('x'.repeat(2_001))).rejects.toMatchObject({
    status: 422,
    message: 'Validation failed: Comment is too long (maximum is 2000 characters)',
  })
  expect(await relation(bob!, alice!.id)).toMatchObject({ note: '' })
  expect(await relation(alice!, bob!.id)).toMatchObject({ note: 'ü'.repeat(2_000) })
  expect(await set('  ')).toMatchObject({ id: bob!.id, note: '' })
  expect(await relation(alice!, bob!.id)).toMatchObject({ note: '' })
})

test('S-005 S-131 S-158 an endorsement requires a follow, can be repeated, and ends with the follow', async () => {
  const [alice, bob, carol] = await createAccounts(3)
  await expect(harness.call(createEndorsement, { id: bob!.id }, alice)).rejects.toMatchObject({
    message: 'Validation failed: You must be already following the person you want to endorse',
  })
  for (const one of [bob, carol]) await harness.call(createFollow, { id: one!.id }, alice)
  expect(await harness.call(createEndorsement, { id: bob!.id }, alice)).toMatchObject({ endorsed: true })
  expect(await harness.call(createEndorsement, { id: bob!.id }, alice)).toMatchObject({ endorsed: true })
  await harness.call(createEndorsement, { id: carol!.id }, alice)
  const newestFirst = [bob!.id, carol!.id].sort((a, b) => Number(BigInt(b) - BigInt(a)))
  expect(ids(await harness.call(listEndorsements, {}, alice))).toEqual(newestFirst)
  expect(ids(await harness.call(listEndorsements, { limit: '0' }, alice))).toEqual(newestFirst)
  expect(ids(await harness.call(listEndorsements, { limit: 'x' }, alice))).toEqual([])
  expect(ids(await harness.call(listEndorsementsOf, { id: alice!.id, limit: 1 }))).toEqual(newestFirst.slice(0, 1))
  expect(await harness.call(removeEndorsement, { id: bob!.id }, alice)).toMatchObject({ endorsed: false })
  await harness.call(removeFollow, { id: carol!.id }, alice)
  expect(await harness.call(listEndorsementsOf, { id: alice!.id })).toEqual([])
})

test('S-123 familiar followers are listed once per id, without accounts that hide their lists', async () => {
  const [alice, bob, carol, star, shy] = await createAccounts(5)
  for (const one of [bob, carol]) await harness.call(createFollow, { id: one!.id }, alice)
  for (const one of [bob, carol]) await harness.call(createFollow, { id: star!.id }, one)
  await harness.call(createFollow, { id: shy!.id }, bob)
  await harness.call(updateCredentials, { hide_collections: true }, carol)
  await harness.call(updateCredentials, { hide_collections: true }, shy)
  const found = await harness.call(listFamiliarFollowers, { id: [star!.id, shy!.id, star!.id, '7'] }, alice)
  expect(found.map((one) => [one.id, ids(one.accounts)])).toEqual([
    [star!.id, [bob!.id]],
    [shy!.id, []],
  ])
  const turned = await harness.call(listFamiliarFollowers, { id: [shy!.id, star!.id] }, alice)
  expect(ids(turned)).toEqual([shy!.id, star!.id])
})

test('an unknown account gives 404, whatever the other parameters are', async () => {
  const [alice] = await createAccounts(1)
  for (const duration of [-1, 'permanently', '1.5'])
    await expect(harness.call(createMute, { id: '5', duration }, alice)).rejects.toMatchObject({ status: 404 })
  await expect(harness.call(createFollow, { id: '5', languages: ['nonsense'] }, alice)).rejects.toMatchObject({
    status: 404,
  })
})
