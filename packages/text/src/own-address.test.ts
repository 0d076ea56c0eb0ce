/** Addresses below the hosts of this server. */
import { expect, test } from 'vitest'
import { canonicalAddress, hostsOf } from './own-address.js'

const origin = 'https://here.example'
const own = { site: { origin }, ownHosts: hostsOf(['handles.example', 'here.example', 'Old.example:8443']) }

test.each([
  'http://here.example/@ann/42?x=1#y',
  'https://HANDLES.example/@ann/42?x=1#y',
  'http://old.example:8443/@ann/42?x=1#y',
])('%s is the same address below the origin', (address) => {
  expect(canonicalAddress(own, address)).toBe(`${origin}/@ann/42?x=1#y`)
})

test.each([
  `${origin}/%40ann/42`,
  'https://old.example/@ann/42',
  'https://sub.handles.example/@ann/42',
  'ftp://here.example/@ann/42',
  'acct:ann@here.example',
  'here.example/@ann/42',
  '',
])('%s stays as it is', (address) => {
  expect(canonicalAddress(own, address)).toBe(address)
})
