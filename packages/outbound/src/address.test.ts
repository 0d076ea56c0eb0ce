/** The address table: every special block at its edges, and IPv4 addresses inside IPv6. */

import { expect, test } from 'vitest'
import { addressGuard, isPublicAddress } from './address.js'

/** Block, its first and last address, and the public addresses before and after it (null when that address is special too). */
const specialV4: [string, string, string, string | null, string | null][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255', null, null],
]

const specialV6: [string, string, string, string | null, string | null][] = [
  ['below 2000::/3', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['above 2000::/3', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', null],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff:ffff::1', '2001:200::'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::1', '2001:db9::'],
  ['2002::/16', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff:ffff::1', '2003::'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff::1', '2620:4f:7fff::1', '2620:4f:8001::'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff::1', '3ffe:ffff:ffff::1', '3fff:1000::'],
]

test.each([...specialV4, ...specialV6])(
  'hostile 94 D059 %s is refused from its first to its last address, and no further',
  (_block, first, last, before, after) => {
    expect(isPublicAddress(first)).toBe(false)
    expect(isPublicAddress(last)).toBe(false)
    if (before) expect(isPublicAddress(before)).toBe(true)
    if (after) expect(isPublicAddress(after)).toBe(true)
  },
)

test.each([
  ['A102 unspecified', '::'],
  ['A102 loopback', '::1'],
  ['A103 local NAT64', '64:ff9b:1::a00:9'],
  ['A103 new documentation block', '3fff::1'],
  ['A103 mapped private', '::ffff:10.0.0.9'],
  ['A103 6to4 of a private address', '2002:a00:9::'],
  ['A104 mapped metadata service', '::ffff:169.254.169.254'],
  ['A104 mapped, in hex', '::ffff:a9fe:a9fe'],
  ['A104 IPv4-compatible', '::10.0.0.9'],
  ['A109 NAT64 of loopback', '64:ff9b::7f00:1'],
  ['A109 Teredo', '2001::1'],
  ['A109 6to4 of loopback', '2002:7f00:1::'],
  ['A109 discard only', '100::1'],
  ['A109 old site-local', 'fec0::1'],
  ['A109 unique local', 'fd00:ec2::254'],
  ['A109 link-local', 'fe80::1'],
  ['A109 multicast', 'ff02::1'],
  ['A109 translated IPv4', '::ffff:0:7f00:1'],
  ['A117 zero network', '0.0.0.0'],
  ['broadcast', '255.255.255.255'],
])('hostile 95 %s (%s) is refused', (_row, address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  'fe80::1%eth0',
  '2606:4700::1%1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '1.1',
  '1.1.1.1 ',
  '',
  'example.com',
  '[::1]',
])('D059 the odd spelling %j is refused, whatever it means', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1', '2a00:1450::1'])(
  'D059 the public address %s is accepted',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test('D064 a test network widens the guard by exactly its addresses', () => {
  const allowed = addressGuard(['127.77.0.0/16', 'fd77::/16'])
  expect(allowed('127.77.255.255')).toBe(true)
  expect(allowed('::ffff:127.77.0.1')).toBe(true)
  expect(allowed('fd77::1')).toBe(true)
  expect(allowed('127.78.0.0')).toBe(false)
  expect(allowed('127.0.0.1')).toBe(false)
  expect(allowed('::1')).toBe(false)
  expect(allowed('1.1.1.1')).toBe(true)
})

test('an invalid block is refused with its text', () => {
  expect(() => addressGuard(['127.0.0.1'])).toThrow('127.0.0.1')
})
