/** S-024: access rules of operators, and their publication to all services. */
import {
  createCanonicalEmailBlockByOperator,
  createEmailDomainBlockByOperator,
  createIpBlockByOperator,
  createUsernameBlockByOperator,
  findCanonicalEmailBlocks,
  findEmailDomainBlocks,
  findIpBlocks,
  findUsernameBlocks,
  removeCanonicalEmailBlockByOperator,
  removeEmailDomainBlockByOperator,
  removeIpBlockByOperator,
  removeUsernameBlockByOperator,
  testCanonicalEmailBlock,
} from '@murmuration/contracts/admin'
import { ALL_PERMISSIONS } from '@murmuration/contracts/permissions'
import { sql } from '@murmuration/db'
import { canonicalEmailHash } from '@murmuration/kernel'
import { viewer } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteExpiredBlocks } from '../src/ip-block/ticks.js'
import { type Harness, startHarness } from './harness.js'

let harness: Harness
let call: Harness['cluster']['call']
beforeAll(async () => {
  harness = await startHarness()
  call = harness.cluster.call
})
afterAll(() => harness.cluster.stop())
const rules = () => harness.ctx.policy.access()
const ruleOf = (ip: string) => rules().ip(ip, harness.ctx.clock.now())

test('S-024 an IP range is blocked once, published, listed, logged and unblocked', async () => {
  const block = await call(createIpBlockByOperator, { ip: '192.0.2.99/24', severity: 'no_access', comment: 'a flood' })
  expect(block).toMatchObject({ ip: '192.0.2.0/24', severity: 'no_access', comment: 'a flood', expires_at: null })
  await expect.poll(() => ruleOf('192.0.2.7')).toBe('no_access')
  expect(ruleOf('198.51.100.7')).toBeNull()
  await expect(call(createIpBlockByOperator, { ip: '192.0.2.0/24', severity: 'sign_up_block' })).rejects.toMatchObject({
    status: 422,
    message: 'Validation failed: Ip has already been taken',
  })
  const single = await call(createIpBlockByOperator, {
    ip: '2001:db8::1',
    severity: 'sign_up_block',
    expires_in: 3_600,
  })
  expect(single.ip).toBe('2001:db8::1/128')
  expect((await call(findIpBlocks, {})).blocks.map((one) => one.ip)).toEqual(['192.0.2.0/24', '2001:db8::1/128'])
  expect(await call(removeIpBlockByOperator, { ip: '192.0.2.0/24' })).toEqual({})
  await expect.poll(() => ruleOf('192.0.2.7')).toBeNull()
  await expect(call(removeIpBlockByOperator, { ip: '192.0.2.0/24' })).rejects.toMatchObject({ status: 404 })
  const log = await harness.cluster.db('admin').rows(sql`select action, target from audit_log
    where action like '%ip_block' order by id`)
  expect(log).toEqual([
    { action: 'create_ip_block', target: '192.0.2.99/24' },
    { action: 'create_ip_block', target: '2001:db8::1/128' },
    { action: 'destroy_ip_block', target: '192.0.2.0/24' },
  ])
})

test('S-024 an IP block expires, is deleted, and can be created again', async () => {
  await call(createIpBlockByOperator, { ip: '203.0.113.5', severity: 'no_access', expires_in: 60 })
  await expect.poll(() => ruleOf('203.0.113.5')).toBe('no_access')
  harness.ctx.clock.moveTo(61_000)
  expect(ruleOf('203.0.113.5')).toBeNull()
  await call(createIpBlockByOperator, { ip: '203.0.113.5', severity: 'sign_up_block', expires_in: 60 })
  await expect.poll(() => ruleOf('203.0.113.5')).toBe('sign_up_block')
  harness.ctx.clock.moveTo(7_200_000)
  await deleteExpiredBlocks.run(harness.ctx as never)
  expect((await call(findIpBlocks, {})).blocks).toEqual([])
  harness.ctx.clock.moveTo(0)
})

test('S-024 an e-mail domain is blocked with its subdomains, or its sign-ups need approval', async () => {
  const block = await call(createEmailDomainBlockByOperator, { domain: 'Throwaway.Example' })
  expect(block).toMatchObject({ domain: 'throwaway.example', allow_with_approval: false })
  await call(createEmailDomainBlockByOperator, { domain: 'odd.example', allow_with_approval: true })
  await expect.poll(() => rules().emailDomain('odd.example')).toBe('approval')
  expect([rules().emailDomain('mx.throwaway.example'), rules().emailDomain('mail.example')]).toEqual(['refused', null])
  await expect(call(createEmailDomainBlockByOperator, { domain: 'odd.example' })).rejects.toMatchObject({
    message: 'Validation failed: Domain has already been taken',
  })
  expect((await call(findEmailDomainBlocks, {})).blocks.map((one) => one.domain)).toEqual([
    'odd.example',
    'throwaway.example',
  ])
  await call(removeEmailDomainBlockByOperator, { domain: 'throwaway.example' })
  await expect.poll(() => rules().emailDomain('throwaway.example')).toBeNull()
})

test('S-024 an e-mail address is blocked in every spelling, by address or hash, and only the hash is stored', async () => {
  const block = await call(createCanonicalEmailBlockByOperator, { email: ' E.ve+shop@Mail.Example ' })
  const hash = canonicalEmailHash('eve@mail.example')
  expect(block.canonical_email_hash).toBe(hash)
  await expect.poll(() => rules().emailAddress('EVE+other@mail.example')).toBe(true)
  expect([rules().emailAddress('eva@mail.example'), rules().emailAddress('eve@sub.mail.example')]).toEqual([
    false,
    false,
  ])
  for (const email of ['eve@mail.example', hash.toUpperCase()])
    await expect(call(createCanonicalEmailBlockByOperator, { email })).rejects.toMatchObject({
      message: 'Validation failed: Email has already been taken',
    })
  for (const email of ['', 'eve', '@mail.example', 'eve@', 'eve@mail@example', 'eve@not a host'])
    await expect(call(createCanonicalEmailBlockByOperator, { email })).rejects.toMatchObject({ status: 422 })
  expect((await call(findCanonicalEmailBlocks, {})).blocks).toEqual([{ id: block.id, canonical_email_hash: hash }])
  await call(removeCanonicalEmailBlockByOperator, { email: hash })
  await expect.poll(() => rules().emailAddress('eve@mail.example')).toBe(false)
  await expect(call(removeCanonicalEmailBlockByOperator, { email: 'eve@mail.example' })).rejects.toMatchObject({
    status: 404,
  })
  const log = await harness.cluster.db('admin').rows(sql`select action, target from audit_log
    where action like '%canonical_email_block' order by id`)
  expect(log).toEqual([
    { action: 'create_canonical_email_block', target: hash },
    { action: 'destroy_canonical_email_block', target: hash },
  ])
})

test('an e-mail address at an internationalised domain is blocked in both forms of the domain', async () => {
  const block = await call(createCanonicalEmailBlockByOperator, { email: 'Ada.L@MÜNCHEN.example' })
  await expect.poll(() => rules().emailAddress('ada.l+x@xn--mnchen-3ya.example')).toBe(true)
  for (const email of ['adal@münchen.example', 'adal@xn--mnchen-3ya.example'])
    expect(await call(testCanonicalEmailBlock, { email }, viewer('1', { permissions: ALL_PERMISSIONS }))).toEqual([
      expect.objectContaining({ id: block.id }),
    ])
  await expect(
    call(createCanonicalEmailBlockByOperator, { email: 'adal@xn--mnchen-3ya.example' }),
  ).rejects.toMatchObject({
    message: 'Validation failed: Email has already been taken',
  })
  await call(removeCanonicalEmailBlockByOperator, { email: 'adal@münchen.example' })
  await expect.poll(() => rules().emailAddress('adal@münchen.example')).toBe(false)
})

test('S-024 a username is reserved, alone or as a part of names', async () => {
  await call(createUsernameBlockByOperator, { username: '@Shop', allow_with_approval: true })
  await call(createUsernameBlockByOperator, { username: 'billing', exact: true })
  await expect.poll(() => rules().username('billing')).toBe('refused')
  expect([rules().username('myshop'), rules().username('billings')]).toEqual(['approval', null])
  const { blocks } = await call(findUsernameBlocks, { after: 'billing' })
  expect(blocks).toEqual([expect.objectContaining({ username: 'shop', exact: false, allow_with_approval: true })])
  await call(removeUsernameBlockByOperator, { username: 'shop' })
  await expect.poll(() => rules().username('myshop')).toBeNull()
})
