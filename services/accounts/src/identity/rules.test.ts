/** Tests of user names that are proposed for identities of external providers. */
import { expect, test } from 'vitest'
import { hintOf, namesFor } from './rules.js'

test.each([
  ['alice', 'x@mail.example', 'alice'],
  ['Zoë.Müller', null, 'Zoe_Muller'],
  ['alice@corp.example', null, 'alice'],
  [null, 'bob.smith@mail.example', 'bob_smith'],
  ['__', 'x@mail.example', undefined],
  ['a'.repeat(50), null, 'a'.repeat(30)],
  ['李', null, undefined],
])('the name %j with the address %j gives the proposal %j', (username, email, name) => {
  const names = namesFor(username, email)
  expect(names[0]).toBe(name)
  for (const one of names) expect(one).toMatch(/^[A-Za-z0-9_]{1,30}$/)
  expect(new Set(names).size).toBe(names.length)
})

test('an e-mail address is abbreviated', () => expect(hintOf('alice@mail.example')).toBe('a…@mail.example'))
