/** Grants of streams: account, validity, and cost of a check. */
import { expect, test } from 'vitest'
import { createStreamGrants } from './stream-grants.js'

const clock = { at: Date.UTC(2026, 10, 25, 12), now: () => clock.at }
const made = (secretKeyBase = 'x'.repeat(32)) => createStreamGrants({ common: { secretKeyBase }, clock })

test('a grant is valid only for its account, at every service with the same key', () => {
  const grant = made().issue('1')
  const elsewhere = made()
  expect([elsewhere.allows('1', grant), elsewhere.allows('1', grant), elsewhere.allows('2', grant)]).toEqual([
    true,
    true,
    false,
  ])
  expect(made('y'.repeat(32)).allows('1', grant)).toBe(false)
  for (const wrong of [
    '',
    '.',
    grant.slice(0, -1),
    `0${grant}`,
    grant.replace(/^\w/, 'z'),
    'zzzzzzzzzz.',
    grant.split('.')[1]!,
  ])
    expect(elsewhere.allows('1', wrong), wrong).toBe(false)
})

test('a grant expires within four minutes, also where it was checked before', () => {
  const grants = made()
  const grant = grants.issue('1')
  const later = made()
  expect(grants.allows('1', grant)).toBe(true)
  clock.at += 175_000
  expect([grants.allows('1', grant), later.allows('1', grant)]).toEqual([true, true])
  clock.at += 66_000
  expect([grants.allows('1', grant), later.allows('1', grant)]).toEqual([false, false])
  expect(grants.allows('1', grants.issue('1'))).toBe(true)
})

test('grants of one account and minute are equal, and a checked one is not computed again', () => {
  const grants = made()
  const accounts = Array.from({ length: 1_000 }, (_, i) => String(10n ** 17n + BigInt(i)))
  const issued = accounts.map((account) => grants.issue(account))
  expect(accounts.map((account) => made().issue(account))).toEqual(issued)
  const cost = () => {
    const before = process.cpuUsage()
    const allowed = accounts.every((account, i) => grants.allows(account, issued[i] ?? ''))
    const { user, system } = process.cpuUsage(before)
    expect(allowed).toBe(true)
    return user + system
  }
  const first = cost()
  const again = Math.min(...Array.from({ length: 20 }, cost))
  console.log(`1,000 grants: ${first} µs checked first, ${again} µs again`)
  // Some tenths of a microsecond each; a slow machine may take ten times as long.
  expect(again).toBeLessThan(5_000)
})
