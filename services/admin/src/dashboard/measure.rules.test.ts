/** Measures of the dashboard: which counters those of a domain read. */
import { expect, test } from 'vitest'
import { planDomain, planPlain } from './measure.rules.js'

const period = { since: '2026-10-01', until: '2026-10-31' }
const keysOf = (domain: string, include_subdomains: boolean) => {
  const { keys, under } = planDomain('instance_accounts', { domain, include_subdomains }, period).total
  return { keys, under }
}

test('a domain is counted with its subdomains if asked, but a top-level domain is not', () => {
  expect(keysOf('Far.example', true)).toEqual({ keys: ['elpmaxe.raf'], under: ['elpmaxe.raf.'] })
  expect(keysOf('far.example', false)).toEqual({ keys: ['elpmaxe.raf'] })
  expect(keysOf('example', true)).toEqual({ keys: ['elpmaxe'] })
})

test.each(['constructor', 'toString', '__proto__'])('the name %s is no measure', (key) => {
  expect(planPlain(key, period)).toBe(null)
})
