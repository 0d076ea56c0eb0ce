/** Access rules: each kind, and combinations. */
import { AccessChunk } from '@murmuration/contracts/admin'
import { expect, test } from 'vitest'
import { accessRulesOf, canonicalEmailHash } from './access-rules.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const rules = accessRulesOf([
  AccessChunk.parse({
    ips: [
      { ip: '192.0.2.0/24', severity: 'sign_up_requires_approval', expires_at: null },
      { ip: '192.0.2.7/32', severity: 'no_access', expires_at: null },
      { ip: '192.0.2.8', severity: 'sign_up_block', expires_at: '2025-12-31T00:00:00Z' },
      { ip: '2001:db8::/32', severity: 'sign_up_block', expires_at: '2027-01-01T00:00:00Z' },
      { ip: 'nonsense/99', severity: 'no_access', expires_at: null },
    ],
  }),
  AccessChunk.parse({
    email_domains: [
      { domain: 'throwaway.example', allow_with_approval: false },
      { domain: 'Odd.example', allow_with_approval: true },
    ],
    canonical_emails: ['eve@mail.example', 'ada@münchen.example', 'kim@xn--bcher-kva.example'].map(canonicalEmailHash),
    usernames: [
      { username: 'Shop', exact: false, allow_with_approval: true },
      { username: 'shopkeeper', exact: true, allow_with_approval: false },
    ],
  }),
])

test.each([
  ['192.0.2.1', 'sign_up_requires_approval'],
  ['192.0.2.7', 'no_access'],
  ['192.0.2.8', 'sign_up_requires_approval'],
  ['2001:db8:1::5', 'sign_up_block'],
  ['2001:db9::5', null],
  ['198.51.100.1', null],
  ['no address', null],
  [null, null],
])('the rule for %j is %j', (address, severity) => expect(rules.ip(address, NOW)).toBe(severity))

test.each([
  ['throwaway.example', 'refused'],
  ['mx1.Throwaway.example', 'refused'],
  ['odd.example', 'approval'],
  ['notthrowaway.example', null],
])('mail of %s is %j', (domain, decision) => expect(rules.emailDomain(domain)).toBe(decision))

test('an e-mail address is recognised in every spelling', () => {
  expect(['e.v.e+shop@Mail.example', 'EVE@mail.example'].map(rules.emailAddress)).toEqual([true, true])
  expect(rules.emailAddress('adam@mail.example')).toBe(false)
  expect(['a.da@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example'].map(rules.emailAddress)).toEqual([true, true])
  expect(['kim@bücher.example', 'kim+x@XN--BCHER-KVA.example'].map(rules.emailAddress)).toEqual([true, true])
  const others = ['ada@münchen.example/x', 'ada@münchen.example?x', 'ada@münchen%2eexample', 'ada@mün\tchen.example']
  expect(others.filter(rules.emailAddress)).toEqual([])
})

test.each([
  ['my_SHOP', 'approval'],
  ['ShopKeeper', 'refused'],
  ['alice', null],
])('the name %s is %j', (name, decision) => expect(rules.username(name)).toBe(decision))
