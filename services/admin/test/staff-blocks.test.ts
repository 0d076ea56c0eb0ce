/** S-024 S-166: blocks of IP addresses, e-mail domains, e-mail addresses and usernames by the staff API. */
import * as admin from '@murmuration/contracts/admin'
import type { AnyOperation, Viewer } from '@murmuration/contracts/kit'
import { sql } from '@murmuration/db'
import { canonicalEmailHash } from '@murmuration/kernel'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
beforeEach(() =>
  harness.cluster.db('admin').run(sql`with l as (delete from audit_log), i as (delete from ip_blocks),
    e as (delete from email_domain_blocks), c as (delete from canonical_email_blocks) delete from username_blocks`),
)
const log = async () =>
  (await call(admin.listAuditLog, {})).entries.map((one) => [one.actor, one.action, one.target]).reverse()
const access = () => harness.ctx.policy.access()

describe('S-166 IP blocks', () => {
  test('are created, changed, published, listed, logged and removed', async () => {
    const block = await call(admin.createIpBlock, { ip: '192.0.2.7/24', severity: 'no_access', comment: 'Flood' }, ada)
    await expectGolden('admin-ip-block', block, harness.cluster.origin, { block: block.id })
    await expect.poll(() => access().ip('192.0.2.9', harness.ctx.clock.now())).toBe('no_access')
    const changed = await call(
      admin.updateIpBlock,
      { id: block.id, severity: 'sign_up_requires_approval', expires_in: '3600' },
      ada,
    )
    expect(changed).toMatchObject({ ...block, severity: 'sign_up_requires_approval', expires_at: expect.any(String) })
    await expect.poll(() => access().ip('192.0.2.9', harness.ctx.clock.now())).toBe('sign_up_requires_approval')
    expect(await call(admin.updateIpBlock, { id: block.id, expires_in: '' }, ada)).toMatchObject({ expires_at: null })
    expect(await call(admin.showIpBlock, { id: block.id }, ada)).toMatchObject({ comment: 'Flood' })
    expect(await call(admin.removeIpBlock, { id: block.id }, ada)).toEqual({})
    await expect.poll(() => access().ip('192.0.2.9', harness.ctx.clock.now())).toBeNull()
    expect(await log()).toEqual([
      ['12', 'create_ip_block', '192.0.2.7/24'],
      ['12', 'update_ip_block', '192.0.2.0/24'],
      ['12', 'update_ip_block', '192.0.2.0/24'],
      ['12', 'destroy_ip_block', '192.0.2.0/24'],
    ])
  })

  test('are listed in pages, newest first', async () => {
    for (const ip of ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
      await call(admin.createIpBlock, { ip, severity: 'sign_up_block' }, ada)
    const ips = async (page: object) => (await call(admin.listIpBlocks, page, ada)).map((one) => one.ip)
    expect(await ips({})).toEqual(['2001:db8::1/128', '192.0.2.2/32', '192.0.2.1/32'])
    const [first] = await call(admin.listIpBlocks, { limit: 1 }, ada)
    expect(await ips({ max_id: first?.id })).toEqual(['192.0.2.2/32', '192.0.2.1/32'])
  })

  test.each([
    [{ severity: 'no_access' }, "Ip can't be blank"],
    [{ ip: '300.1.1.1', severity: 'no_access' }, 'Ip is invalid'],
    [{ ip: '192.0.2.1' }, "Severity can't be blank"],
    [{ ip: '192.0.2.1', severity: 'none' }, 'Severity is not included in the list'],
    [{ ip: '192.0.2.1', severity: 'no_access', expires_in: 'soon' }, 'Expires in is invalid'],
    [{ ip: '198.51.100.1', severity: 'no_access' }, 'Ip has already been taken'],
  ])('%j is refused', async (input, message) => {
    await call(admin.createIpBlock, { ip: '198.51.100.1', severity: 'no_access' }, ada)
    await expect(call(admin.createIpBlock, input, ada)).rejects.toMatchObject({
      status: 422,
      message: `Validation failed: ${message}`,
    })
  })

  test('a change to the range of another block is refused and changes nothing', async () => {
    await call(admin.createIpBlock, { ip: '192.0.2.1', severity: 'no_access' }, ada)
    const other = await call(admin.createIpBlock, { ip: '192.0.2.2', severity: 'no_access' }, ada)
    await expect(call(admin.updateIpBlock, { id: other.id, ip: '192.0.2.1', comment: 'x' }, ada)).rejects.toMatchObject(
      { message: 'Validation failed: Ip has already been taken' },
    )
    expect(await call(admin.showIpBlock, { id: other.id }, ada)).toEqual(other)
  })
})

describe('S-166 e-mail domain blocks', () => {
  test('are created, shown with seven days of history, listed, logged and removed', async () => {
    const block = await call(admin.createEmailDomainBlock, { domain: 'Bad.Example', allow_with_approval: '1' }, ada)
    await expectGolden('admin-email-domain-block', block, harness.cluster.origin, { block: block.id })
    expect(block.history).toHaveLength(7)
    await expect.poll(() => access().emailDomain('mx.bad.example')).toBe('approval')
    expect(await call(admin.listEmailDomainBlocks, {}, ada)).toEqual([block])
    expect(await call(admin.showEmailDomainBlock, { id: block.id }, ada)).toEqual(block)
    expect(await call(admin.removeEmailDomainBlock, { id: block.id }, ada)).toEqual({})
    await expect.poll(() => access().emailDomain('bad.example')).toBeNull()
    expect(await log()).toEqual([
      ['12', 'create_email_domain_block', 'bad.example'],
      ['12', 'destroy_email_domain_block', 'bad.example'],
    ])
  })

  test.each([
    [{}, "Domain can't be blank"],
    [{ domain: 'no domain' }, 'Domain is not a valid domain name'],
    [{ domain: 'TAKEN.example' }, 'Domain has already been taken'],
  ])('%j is refused', async (input, message) => {
    await call(admin.createEmailDomainBlock, { domain: 'taken.example' }, ada)
    await expect(call(admin.createEmailDomainBlock, input, ada)).rejects.toMatchObject({
      status: 422,
      message: `Validation failed: ${message}`,
    })
  })
})

describe('S-166 canonical e-mail blocks', () => {
  const hash = canonicalEmailHash('eve@mail.example')

  test('are created by address or hash, tested, listed, logged and removed', async () => {
    const block = await call(admin.createCanonicalEmailBlock, { email: 'E.ve+x@Mail.example' }, ada)
    await expectGolden('admin-canonical-email-block', block, harness.cluster.origin, { block: block.id })
    expect(block.canonical_email_hash).toBe(hash)
    expect(await call(admin.testCanonicalEmailBlock, { email: 'EVE@mail.example' }, ada)).toEqual([block])
    expect(await call(admin.testCanonicalEmailBlock, { email: 'adam@mail.example' }, ada)).toEqual([])
    const other = await call(admin.createCanonicalEmailBlock, { canonical_email_hash: 'a'.repeat(64) }, ada)
    expect(await call(admin.listCanonicalEmailBlocks, {}, ada)).toEqual([other, block])
    expect(await call(admin.showCanonicalEmailBlock, { id: block.id }, ada)).toEqual(block)
    expect(await call(admin.removeCanonicalEmailBlock, { id: block.id }, ada)).toEqual({})
    expect(await call(admin.testCanonicalEmailBlock, { email: 'eve@mail.example' }, ada)).toEqual([])
    expect((await log()).map(([, action]) => action)).toEqual([
      'create_canonical_email_block',
      'create_canonical_email_block',
      'destroy_canonical_email_block',
    ])
  })

  test('a test without an address is a bad request', async () => {
    await expect(call(admin.testCanonicalEmailBlock, {}, ada)).rejects.toMatchObject({
      status: 400,
      message: 'param is missing or the value is empty or invalid: email',
    })
  })
})

describe('username blocks', () => {
  test('are created, changed, published, listed, logged and removed', async () => {
    const block = await call(admin.createUsernameBlock, { username: '@Shop' }, ada)
    await expectGolden('admin-username-block', block, harness.cluster.origin, { block: block.id })
    await expect.poll(() => access().username('myshop')).toBe('refused')
    const changed = await call(admin.updateUsernameBlock, { id: block.id, exact: 'true' }, ada)
    expect(changed).toEqual({ ...block, exact: true })
    await expect.poll(() => access().username('myshop')).toBeNull()
    expect(await call(admin.listUsernameBlocks, {}, ada)).toEqual([changed])
    expect(await call(admin.removeUsernameBlock, { id: block.id }, ada)).toEqual({})
    expect((await log()).map(([, action]) => action)).toEqual([
      'create_username_block',
      'update_username_block',
      'destroy_username_block',
    ])
  })
})

const single: [string, AnyOperation][] = [
  ['ip block', admin.showIpBlock],
  ['ip block change', admin.updateIpBlock],
  ['ip block removal', admin.removeIpBlock],
  ['e-mail domain block', admin.showEmailDomainBlock],
  ['e-mail domain block removal', admin.removeEmailDomainBlock],
  ['canonical e-mail block', admin.showCanonicalEmailBlock],
  ['canonical e-mail block removal', admin.removeCanonicalEmailBlock],
  ['user name block', admin.showUsernameBlock],
  ['user name block change', admin.updateUsernameBlock],
  ['user name block removal', admin.removeUsernameBlock],
]
test.each(single)('an unknown %s is not found', async (_, operation) => {
  await expect(call(operation, { id: '5' } as never, ada)).rejects.toMatchObject({
    status: 404,
    message: 'Record not found',
  })
  expect(await log()).toEqual([])
})
