/** Approximation of the registered domain of a host. */
import { expect, test } from 'vitest'
import { registeredDomain } from './registered-domain.js'

test.each([
  ['a1.evil.example', 'evil.example'],
  ['deep.a1.evil.example:8443', 'evil.example'],
  ['evil.example', 'evil.example'],
  ['one.name.co.uk', 'name.co.uk'],
  ['two.name.co.uk', 'name.co.uk'],
  ['example', 'example'],
  ['127.0.0.1:8080', '127.0.0.1:8080'],
])('hostile 107 %s belongs to %s', (host, domain) => {
  expect(registeredDomain(host)).toBe(domain)
})
