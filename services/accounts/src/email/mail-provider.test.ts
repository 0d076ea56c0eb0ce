/** Tests of the decision about e-mail providers: configured lists, blocks of staff, mail hosts, and a failed look-up. */
import { accessRulesOf } from '@murmuration/kernel'
import { expect, test } from 'vitest'
import { createMailProviders, domainsOf } from './mail-provider.js'

const access = accessRulesOf([
  {
    ips: [],
    canonical_emails: [],
    usernames: [],
    email_domains: [
      { domain: 'throwaway.example', allow_with_approval: false },
      { domain: 'odd.example', allow_with_approval: true },
    ],
  },
])
const table: Record<string, string[] | null> = {
  'fine.example': ['mx.fine.example'],
  'hidden.example': ['mx3.throwaway.example'],
  'odd-host.example': ['mx.odd.example'],
  'none.example': [],
  'silent.example': null,
  'odd.example': null,
}
const providers = (more: Partial<Parameters<typeof createMailProviders>[0]> = {}) =>
  createMailProviders({
    allowed: [],
    denied: ['denied.example'],
    access: () => access,
    hosts: { of: async (domain) => table[domain] ?? null },
    ...more,
  })
const say = async (domain: string, more?: Parameters<typeof providers>[0]) => {
  const { problems, doubts } = await providers(more).check(domain)
  return problems[0]?.code ?? (doubts ? 'doubts' : 'fine')
}

test.each([
  ['Fine.example', 'fine'],
  ['throwaway.example', 'ERR_BLOCKED'],
  ['a.throwaway.example', 'ERR_BLOCKED'],
  ['hidden.example', 'ERR_BLOCKED'],
  ['mail.denied.example', 'ERR_BLOCKED'],
  ['odd.example', 'doubts'],
  ['odd-host.example', 'doubts'],
  ['none.example', 'ERR_UNREACHABLE'],
  ['silent.example', 'fine'],
])('the result for an e-mail address at %s is %s', async (domain, check) => expect(await say(domain)).toBe(check))

test('a list of allowed providers refuses every other one', async () => {
  const allowed = domainsOf('work.example| School.example')
  expect(
    await Promise.all(['work.example', 'a.school.example', 'fine.example'].map((one) => say(one, { allowed }))),
  ).toEqual(['fine', 'fine', 'ERR_BLOCKED'])
})

test('no name server is queried if the look-up is off', async () =>
  expect(await say('none.example', { hosts: null })).toBe('fine'))

test('providers with internationalised names are compared in ASCII', () => {
  expect(domainsOf('M\u00fcnchen.example, work.example')).toEqual(['xn--mnchen-3ya.example', 'work.example'])
})
