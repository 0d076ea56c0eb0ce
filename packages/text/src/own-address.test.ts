/** Addresses below the hosts of this server, and addresses that are looked up on other servers. */
import { expect, test } from 'vitest'
import { canonicalAddress, hostsOf, lookUpAddress } from './own-address.js'

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

test.each([
  ['http://far.example/@bob/1?x=1#y', 'https://far.example/@bob/1?x=1#y'],
  ['HTTP://far.example:80', 'https://far.example'],
  ['http://far.example:8080/@bob', 'https://far.example:8080/@bob'],
  ['http://[::80]/http://a.example/', 'https://[::80]/http://a.example/'],
  ['https://far.example/@bob', 'https://far.example/@bob'],
  ['http://handles.example/@ann', `${origin}/@ann`],
])('%s is looked up as %s', (address, secure) => {
  expect(lookUpAddress({ ...own, allowsHttp: false }, address)).toBe(secure)
})

test('an address with http is looked up unchanged if http is allowed, or if this server has no TLS', () => {
  const address = 'http://far.example/@bob'
  expect(lookUpAddress({ ...own, allowsHttp: true }, address)).toBe(address)
  const plain = { site: { origin: 'http://here.example' }, ownHosts: hostsOf(['here.example']) }
  expect(lookUpAddress({ ...plain, allowsHttp: false }, 'http://here.example/@ann')).toBe('http://here.example/@ann')
})
