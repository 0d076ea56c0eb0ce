/** Admin with the real accounts and media. */

import { app as accounts } from '@murmuration/accounts'
import { accountRecords, createAccountByOperator, putRemote } from '@murmuration/contracts/accounts'
import {
  actOnAccount,
  browseAuditLog,
  createCanonicalEmailBlock,
  createDomainBlock,
  listAuditLog,
  removeCanonicalEmailBlock,
  removeCanonicalEmailBlockByOperator,
  removeDomainBlock,
  setSetting,
  showAccountForStaff,
  showInstanceV1,
  testCanonicalEmailBlock,
  undoAuditLogEntry,
  unsilenceAccount,
  unsuspendAccount,
  updateDomainBlock,
} from '@murmuration/contracts/admin'
import type { Viewer } from '@murmuration/contracts/kit'
import { DEFAULT_ROLES } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { canonicalEmailHash } from '@murmuration/kernel'
import { app as media } from '@murmuration/media'
import { type Cluster, remoteActor, startCluster, viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app } from '../src/main.js'

let cluster: Cluster
let ada: Viewer
let bob: string
let eve: string

beforeAll(async () => {
  cluster = await startCluster({ apps: [app, accounts, media], env: { MEDIA_FFMPEG: 'off' } })
  const make = async (username: string, role?: string) =>
    (
      await cluster.call(createAccountByOperator, {
        username,
        email: `${username}@mail.example`,
        confirmed: true,
        ...(role ? { role } : {}),
      })
    ).id
  const { permissions, position } = DEFAULT_ROLES.admin
  ada = viewer(await make('ada', 'Admin'), { permissions, position })
  bob = await make('bob')
  eve = (await cluster.call(putRemote, { actor: remoteActor('eve', 'remote.example') })).record.id
})
afterAll(() => cluster.stop())

const moderation = async (id: string) => {
  const [record] = (await cluster.call(accountRecords, { ids: [id] })).records
  return { silenced: record?.silenced, suspended: record?.suspended }
}

test('a block, its change and its removal are applied to the accounts of the domain', async () => {
  const { id } = await cluster.call(createDomainBlock, { domain: 'remote.example', severity: 'suspend' }, ada)
  await cluster.waitForIdle()
  expect(await moderation(eve)).toEqual({ silenced: false, suspended: true })
  await cluster.call(updateDomainBlock, { id, severity: 'silence' }, ada)
  await cluster.waitForIdle()
  expect(await moderation(eve)).toEqual({ silenced: true, suspended: false })
  await cluster.call(removeDomainBlock, { id }, ada)
  await cluster.waitForIdle()
  expect(await moderation(eve)).toEqual({ silenced: false, suspended: false })
})

test.each([
  ['silence', true],
  ['suspend', false],
])(
  'moderation 1: %s with reject_media %s deletes copies of media of the domain and subdomains, and no others',
  async (severity, reject) => {
    const db = cluster.db('media')
    await db.run(sql`delete from pictures`)
    await db.run(sql`insert into pictures (id, owner, kind, remote_url, domain, key, created_at)
    select n, n::text, 'avatar', 'https://x/' || n, domain, 'cache/p' || n, now()
    from unnest(${['remote.example', 'a.remote.example', 'other.example']}::text[]) with ordinality as x(domain, n)`)
    const left = () => db.rows<{ domain: string }>(sql`select domain from pictures where key is not null order by id`)
    const { id } = await cluster.call(
      createDomainBlock,
      { domain: 'remote.example', severity, reject_media: reject, reject_reports: true },
      ada,
    )
    await cluster.waitForIdle()
    expect((await left()).map((row) => row.domain)).toEqual(['other.example'])
    await cluster.call(removeDomainBlock, { id }, ada)
    await cluster.waitForIdle()
  },
)

test('an account suspended by staff stays suspended when the block of its domain is removed', async () => {
  await cluster.call(actOnAccount, { id: eve, type: 'suspend' }, ada)
  const { id } = await cluster.call(createDomainBlock, { domain: 'remote.example', severity: 'suspend' }, ada)
  await cluster.waitForIdle()
  await cluster.call(removeDomainBlock, { id }, ada)
  await cluster.waitForIdle()
  expect(await moderation(eve)).toMatchObject({ suspended: true })
  expect(await cluster.call(unsuspendAccount, { id: eve }, ada)).toMatchObject({
    suspended: false,
    domain: 'remote.example',
  })
})

test.each([
  ['silence', 'unsilence'],
  ['suspend', 'unsuspend'],
] as const)('staff exempts an account from the blocks that exist: %s', async (severity, lifting) => {
  const rita = (await cluster.call(putRemote, { actor: remoteActor(`rita-${severity}`, 'remote.example') })).record.id
  const of = async (id: string) => (await moderation(id))[severity === 'silence' ? 'silenced' : 'suspended']
  const both = async () => {
    await cluster.waitForIdle()
    return [await of(rita), await of(eve)]
  }
  const newest = async () => (await cluster.call(listAuditLog, { limit: 1 })).entries[0]?.id ?? ''
  const undoOf = async (id: string) => {
    await cluster.call(undoAuditLogEntry, { id }, ada)
    return both()
  }
  const block = (await cluster.call(createDomainBlock, { domain: 'remote.example', severity }, ada)).id
  expect(await both()).toEqual([true, true])
  await cluster.call(lifting === 'unsilence' ? unsilenceAccount : unsuspendAccount, { id: rita }, ada)
  const exemption = await newest()
  expect(await both()).toEqual([false, true])
  // Profiles of suspended domains are not stored.
  if (severity === 'silence') await cluster.call(putRemote, { actor: remoteActor('rita-silence', 'remote.example') })
  await cluster.call(updateDomainBlock, { id: block, public_comment: 'Spam' }, ada)
  expect(await both()).toEqual([false, true])
  await cluster.call(removeDomainBlock, { id: block }, ada)
  const removal = await newest()
  expect(await both()).toEqual([false, false])
  expect(await undoOf(removal)).toEqual([false, true])
  expect(await undoOf(exemption)).toEqual([true, true])
  await cluster.call(lifting === 'unsilence' ? unsilenceAccount : unsuspendAccount, { id: rita }, ada)
  await cluster.call(removeDomainBlock, { id: block }, ada)
  const later = await cluster.call(createDomainBlock, { domain: 'remote.example', severity }, ada)
  expect(await both()).toEqual([true, true])
  await cluster.call(removeDomainBlock, { id: later.id }, ada)
  expect(await both()).toEqual([false, false])
})

test('an e-mail address stays blocked until none of the suspended accounts with it is suspended', async () => {
  const make = async (username: string, email: string) =>
    (await cluster.call(createAccountByOperator, { username, email, confirmed: true })).id
  const [one, other] = [await make('one', 'same.one@mail.example'), await make('other', 'sameone+x@mail.example')]
  const isBlocked = async () =>
    (await cluster.call(testCanonicalEmailBlock, { email: 'SameOne@mail.example' }, ada)).length > 0
  const suspend = (id: string) => cluster.call(actOnAccount, { id, type: 'suspend' }, ada)
  const lift = (id: string) => cluster.call(unsuspendAccount, { id }, ada)
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    await suspend(one)
    await suspend(other)
    expect(await isBlocked()).toBe(true)
    await lift(first)
    expect(await isBlocked()).toBe(true)
    await lift(second)
    expect(await isBlocked()).toBe(false)
  }
  await suspend(one)
  const [{ id: entry } = { id: '' }] = (await cluster.call(listAuditLog, { limit: 1 })).entries
  await suspend(other)
  await cluster.call(undoAuditLogEntry, { id: entry }, ada)
  expect(await isBlocked()).toBe(true)
  await cluster.call(createCanonicalEmailBlock, { email: 'free@mail.example' }, ada)
  await lift(other)
  expect(await isBlocked()).toBe(false)
  expect(await cluster.call(testCanonicalEmailBlock, { email: 'free@mail.example' }, ada)).toHaveLength(1)
})

test('an e-mail address of an account that an earlier release suspended stays blocked', async () => {
  const email = 'rolling@mail.example'
  const { id } = await cluster.call(createAccountByOperator, { username: 'rolling', email, confirmed: true })
  const isBlocked = async () => (await cluster.call(testCanonicalEmailBlock, { email }, ada)).length > 0
  const db = cluster.db('admin')
  /** Suspends an account with the same address as a process of the earlier release does. */
  const suspendByOld = (account: string) =>
    db.run(sql`insert into canonical_email_blocks (id, canonical_email_hash, account_id, created_at)
      values (${account}, ${canonicalEmailHash(email)}, ${account}, now()) on conflict do nothing`)
  const suspend = () => cluster.call(actOnAccount, { id, type: 'suspend' }, ada)
  const lift = () => cluster.call(unsuspendAccount, { id }, ada)
  await suspend()
  await suspendByOld('771')
  await lift()
  expect(await isBlocked()).toBe(true)
  await db.run(sql`delete from canonical_email_blocks where account_id = 771`)
  await db.run(sql`delete from canonical_email_holders where account_id = 771`)
  await suspendByOld('772')
  await suspend()
  await lift()
  expect(await isBlocked()).toBe(true)
})

test('an e-mail address stays blocked for one of two accounts if an earlier release ends the suspension of the other', async () => {
  const email = 'twice@mail.example'
  const { id } = await cluster.call(createAccountByOperator, { username: 'twice', email, confirmed: true })
  const blocks = () => cluster.call(testCanonicalEmailBlock, { email }, ada)
  const db = cluster.db('admin')
  const hash = canonicalEmailHash(email)
  const holders = () =>
    db.rows(sql`select account_id from canonical_email_holders where canonical_email_hash = ${hash}`)
  /** Ends the suspension as a process of the earlier release does. */
  const liftByOld = (account: string) => db.run(sql`delete from canonical_email_blocks where account_id = ${account}`)
  const suspend = () => cluster.call(actOnAccount, { id, type: 'suspend' }, ada)
  await db.run(sql`insert into canonical_email_blocks (id, canonical_email_hash, account_id, created_at)
    values (773, ${hash}, 773, now())`)
  await suspend()
  await liftByOld('773')
  expect([await blocks(), await holders()]).toEqual([[expect.anything()], [{ account_id: id }]])
  await liftByOld(id)
  expect([await blocks(), await holders()]).toEqual([[], []])
})

test('staff removes the block of an e-mail address although two suspended accounts have it, and may undo that', async () => {
  const email = 'both@mail.example'
  const { id } = await cluster.call(createAccountByOperator, { username: 'both', email, confirmed: true })
  const blocks = () => cluster.call(testCanonicalEmailBlock, { email }, ada)
  await cluster
    .db('admin')
    .run(sql`insert into canonical_email_blocks (id, canonical_email_hash, account_id, created_at)
    values (774, ${canonicalEmailHash(email)}, 774, now())`)
  await cluster.call(actOnAccount, { id, type: 'suspend' }, ada)
  await cluster.call(removeCanonicalEmailBlock, { id: '774' }, ada)
  expect(await blocks()).toEqual([])
  const [entry] = await cluster.call(browseAuditLog, { limit: 1, action: 'destroy_canonical_email_block' }, ada)
  await cluster.call(undoAuditLogEntry, { id: entry?.id ?? '' }, ada)
  expect(await blocks()).toHaveLength(1)
  await cluster.call(removeCanonicalEmailBlockByOperator, { email })
  expect(await blocks()).toEqual([])
})

test('actions on local accounts are visible immediately and require a higher rank', async () => {
  await cluster.call(actOnAccount, { id: bob, type: 'disable' }, ada)
  expect(await cluster.call(showAccountForStaff, { id: bob }, ada)).toMatchObject({
    username: 'bob',
    email: 'bob@mail.example',
    disabled: true,
    suspended: false,
    approved: true,
  })
  await expect(cluster.call(actOnAccount, { id: ada.id, type: 'disable' }, ada)).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('the instance document contains the contact account', async () => {
  await cluster.call(setSetting, { name: 'site_contact_account', value: '@ada' })
  const instance = await cluster.call(showInstanceV1, {})
  expect(instance.contact_account?.acct).toBe('ada')
})
