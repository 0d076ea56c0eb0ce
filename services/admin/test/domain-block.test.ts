/** Domain blocks: creation, refusals, changes, removal, and requests to accounts in any order. */
import {
  createDomainBlock,
  listAuditLog,
  listDomainBlocks,
  listPublicDomainBlocks,
  removeDomainBlock,
  setSetting,
  showDomainBlock,
  updateDomainBlock,
} from '@murmuration/contracts/admin'
import { AdminDomainBlock } from '@murmuration/contracts/entities'
import type { Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { as } from './fixtures.js'
import { expectGolden } from './golden.js'
import { type Harness, startHarness, who } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
let ada: Viewer
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
  ada = as(who(harness, '12'))
})
afterAll(() => harness.cluster.stop())
afterEach(async () => {
  for (const { id } of await call(listDomainBlocks, {}, ada)) await call(removeDomainBlock, { id }, ada)
  await harness.cluster.waitForIdle()
  harness.moderation()
})
const eve = () => who(harness, '201')
const rita = () => who(harness, '202')
const block = (domain: string, more: object = {}) => call(createDomainBlock, { domain, ...more }, ada)

test('S-057 a block is stored, shown, logged with its moderator, and announced as admin.domain-block.changed', async () => {
  const made = await block('Remote.example', {
    severity: 'suspend',
    private_comment: 'spam',
    public_comment: '',
    obfuscate: '1',
  })
  expect(made).toMatchObject({
    domain: 'remote.example',
    severity: 'suspend',
    private_comment: 'spam',
    public_comment: null,
    obfuscate: true,
    reject_media: false,
  })
  expect(await call(showDomainBlock, { id: made.id }, ada)).toEqual(made)
  await expectGolden('admin-domain-block', made, harness.cluster.origin, { id: made.id })
  const { entries } = await call(listAuditLog, { limit: 1 })
  expect(entries[0]).toMatchObject({
    actor: '12',
    action: 'create_domain_block',
    target: 'remote.example',
    before: null,
    after: made,
  })
  const events = await harness.cluster
    .db('admin')
    .rows<{ data: string }>(sql`select data from outbox where subject = 'evt.admin.domain-block.changed'`)
  expect(events.map((row) => JSON.parse(row.data))).toEqual([
    { domain: 'remote.example', severity: 'suspend', reject_media: false, stamp: made.created_at },
  ])
})

test('a block is a limit by default and rejects nothing', async () => {
  expect(await block('remote.example')).toMatchObject({
    severity: 'silence',
    reject_media: false,
    reject_reports: false,
    obfuscate: false,
  })
})

test.each([
  [{ domain: 'remote.example', severity: 'forbid' }, 'Severity is not included in the list'],
  [{ domain: 'no domain' }, 'Domain is not a valid domain name'],
  [{ domain: '' }, "Domain can't be blank"],
  [{}, "Domain can't be blank"],
])('%j is refused', async (input, problem) => {
  await expect(call(createDomainBlock, input, ada)).rejects.toMatchObject({
    code: 'unprocessable',
    message: `Validation failed: ${problem}`,
  })
})

test('a server cannot block itself', async () => {
  await expect(block(harness.cluster.env.LOCAL_DOMAIN ?? '')).rejects.toMatchObject({
    message: 'Validation failed: Domain is that of this server',
  })
})

test('S-058 S-145 S-195 a conflict contains the existing block', async () => {
  const made = await block('remote.example', { severity: 'silence', reject_media: true })
  const refusal = (domain: string, more: object) =>
    block(domain, more).then(
      () => null,
      (error) => ({ status: error.status, error: error.message, ...error.extras.body }),
    )
  const conflict = {
    status: 422,
    error: 'You have already imposed stricter limits on remote.example.',
    existing_domain_block: AdminDomainBlock.parse(made),
  }
  expect(await refusal('remote.example', { severity: 'suspend' })).toEqual(conflict)
  expect(await refusal('REMOTE.example', { severity: 'silence' })).toEqual(conflict)
  expect(await refusal('a.remote.example', { severity: 'noop' })).toEqual(conflict)
  expect(await refusal('a.remote.example', { severity: 'silence' })).toEqual(conflict)
  expect(await refusal('a.remote.example', { severity: 'suspend' })).toBeNull()
  expect(await refusal('otherremote.example', { severity: 'noop' })).toBeNull()
})

test('exactly one of several simultaneous blocks of a domain is created, and the others are conflicts', async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, () => block('remote.example', { severity: 'suspend' })),
  )
  expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  for (const one of all)
    if (one.status === 'rejected') expect(one.reason.extras.body.existing_domain_block.domain).toBe('remote.example')
})

test('S-144 unknown blocks are not found', async () => {
  for (const id of ['1', 'x', '99999999999999999999'])
    await expect(call(showDomainBlock, { id }, ada)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Record not found',
    })
  await expect(call(updateDomainBlock, { id: '1' }, ada)).rejects.toMatchObject({ code: 'not_found' })
  await expect(call(removeDomainBlock, { id: '1' }, ada)).rejects.toMatchObject({ code: 'not_found' })
})

test('S-143 blocks are in pages by id, newest first', async () => {
  for (let i = 0; i < 5; i++) await block(`n${i}.example`)
  const names = async (page: object) => (await call(listDomainBlocks, page, ada)).map((one) => one.domain)
  const all = await call(listDomainBlocks, {}, ada)
  expect(await names({})).toEqual(['n4.example', 'n3.example', 'n2.example', 'n1.example', 'n0.example'])
  expect(await names({ limit: '2' })).toEqual(['n4.example', 'n3.example'])
  expect(await names({ limit: 2, max_id: all[1]?.id })).toEqual(['n2.example', 'n1.example'])
  expect(await names({ limit: 2, min_id: all[4]?.id })).toEqual(['n2.example', 'n1.example'])
  expect(await names({ limit: 2, since_id: all[4]?.id })).toEqual(['n4.example', 'n3.example'])
  const limits = [{}, { limit: '500' }, { limit: '501' }].map((page) => listDomainBlocks.input.parse(page).limit)
  expect(limits).toEqual([100, 500, 500])
})

test('S-146 a suspension applies to accounts of the domain and its subdomains, and removal ends only these', async () => {
  rita().suspended = 'staff'
  const made = await block('remote.example', { severity: 'suspend' })
  await harness.cluster.waitForIdle()
  expect(eve().suspended).toBe(made.created_at)
  expect(rita().suspended).toBe('staff')
  expect(who(harness, '203').suspended).toBeNull()
  expect(await call(removeDomainBlock, { id: made.id }, ada)).toEqual({})
  await harness.cluster.waitForIdle()
  expect(eve().suspended).toBeNull()
  expect(rita().suspended).toBe('staff')
  rita().suspended = null
  const { entries } = await call(listAuditLog, { limit: 1 })
  expect(entries[0]).toMatchObject({ action: 'destroy_domain_block', before: made, after: null })
})

test('S-079 a changed severity undoes the previous effects', async () => {
  const made = await block('remote.example', { severity: 'silence' })
  await harness.cluster.waitForIdle()
  expect(eve()).toMatchObject({ silenced: made.created_at, suspended: null })
  const changed = await call(updateDomainBlock, { id: made.id, severity: 'suspend', reject_reports: 'true' }, ada)
  expect(changed).toEqual({ ...made, severity: 'suspend', reject_reports: true })
  await harness.cluster.waitForIdle()
  expect(eve()).toMatchObject({ silenced: null, suspended: made.created_at })
  await call(updateDomainBlock, { id: made.id, severity: 'noop', public_comment: 'Nothing to see' }, ada)
  await harness.cluster.waitForIdle()
  expect(eve()).toMatchObject({ silenced: null, suspended: null })
  await expect(call(updateDomainBlock, { id: made.id, severity: 'x' }, ada)).rejects.toMatchObject({
    code: 'unprocessable',
  })
  const { entries } = await call(listAuditLog, { limit: 1 })
  expect(entries[0]).toMatchObject({
    action: 'update_domain_block',
    before: { severity: 'suspend' },
    after: { severity: 'noop' },
  })
})

test('a removed block keeps effects of blocks of its parent and subdomains', async () => {
  const parent = await block('remote.example', { severity: 'silence' })
  await harness.cluster.waitForIdle()
  const child = await block('a.remote.example', { severity: 'suspend' })
  await harness.cluster.waitForIdle()
  expect(rita()).toMatchObject({ silenced: parent.created_at, suspended: child.created_at })
  await call(updateDomainBlock, { id: parent.id, severity: 'suspend' }, ada)
  await harness.cluster.waitForIdle()
  await call(removeDomainBlock, { id: child.id }, ada)
  await harness.cluster.waitForIdle()
  expect(rita()).toMatchObject({ silenced: null, suspended: parent.created_at })
  const again = await block('a.remote.example', { severity: 'suspend' })
  await call(removeDomainBlock, { id: parent.id }, ada)
  await harness.cluster.waitForIdle()
  expect(rita().suspended).toBe(again.created_at)
  expect(eve().suspended).toBeNull()
})

test('after a quick block and removal no account stays suspended, in any order of the jobs', async () => {
  for (let i = 0; i < 10; i++) {
    const made = await block('remote.example', { severity: 'suspend' })
    await call(updateDomainBlock, { id: made.id, severity: 'silence' }, ada)
    await call(removeDomainBlock, { id: made.id }, ada)
  }
  await harness.cluster.waitForIdle()
  expect(eve()).toMatchObject({ silenced: null, suspended: null })
  expect(rita()).toMatchObject({ silenced: null, suspended: null })
})

test('a job that accounts could not handle is repeated when it responds', async () => {
  harness.fixtures.away.add('accounts.account.moderate')
  const made = await block('remote.example', { severity: 'suspend' })
  await expect
    .poll(() => harness.fixtures.asked.some((one) => one.operation === 'accounts.account.moderate'))
    .toBe(true)
  expect(eve().suspended).toBeNull()
  harness.fixtures.away.clear()
  await harness.cluster.waitForIdle()
  expect(eve().suspended).toBe(made.created_at)
})

test('S-088 the public list is hidden by default, or shown to users or to all, with reasons only if published', async () => {
  const alice = as(who(harness, '101'))
  const list = (viewer: Viewer | null) => call(listPublicDomainBlocks, {}, viewer)
  await block('silent.example', { severity: 'silence', public_comment: 'Loud', private_comment: 'secret' })
  await block('noop.example', { severity: 'noop' })
  await block('hidden.example', { severity: 'suspend', obfuscate: true })
  await block('bad.example', { severity: 'suspend' })
  for (const viewer of [null, alice])
    await expect(list(viewer)).rejects.toMatchObject({ status: 404, message: 'Not Found' })
  await call(setSetting, { name: 'show_domain_blocks', value: 'users' })
  await expect(list(null)).rejects.toMatchObject({ status: 404 })
  const forUsers = await list(alice)
  expect(forUsers.map((one) => [one.domain, one.severity])).toEqual([
    ['silent.example', 'silence'],
    ['bad.example', 'suspend'],
    ['hidd**.****ple', 'suspend'],
  ])
  expect(forUsers[0]).not.toHaveProperty('comment')
  await call(setSetting, { name: 'show_domain_blocks', value: 'all' })
  await call(setSetting, { name: 'show_domain_blocks_rationale', value: 'users' })
  const forAll = await list(null)
  expect(forAll.every((one) => !('comment' in one))).toBe(true)
  await expectGolden('domain-block-public', await list(alice), harness.cluster.origin)
})
