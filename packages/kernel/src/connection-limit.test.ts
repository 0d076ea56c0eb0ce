/** The number of connections per IP address is limited, except for private networks. */
import { expect, test } from 'vitest'
import { createConnectionLimit } from './connection-limit.js'

test('D035 an address has a limited number of connections, until one closes', () => {
  const connections = createConnectionLimit(3)
  for (let n = 0; n < 3; n++) expect(connections.enter('192.0.2.1')).toBe(true)
  expect([
    connections.enter('192.0.2.1'),
    connections.enter('::ffff:192.0.2.1'),
    connections.enter('192.0.2.2'),
  ]).toEqual([false, false, true])
  connections.leave('192.0.2.1')
  expect([connections.enter('::ffff:192.0.2.1'), connections.enter('192.0.2.1')]).toEqual([true, false])
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:1:2', true],
  ['2001:db8::1', '2001:db8:0:0:1::', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
])('D035 %s and %s share a household: %s', (one, other, shared) => {
  const connections = createConnectionLimit(1)
  expect([connections.enter(one), connections.enter(other)]).toEqual([true, !shared])
})

test.each(['127.0.0.1', '::1', '::ffff:10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', 'fe80::1', ''])(
  'connections from the private address %j are not counted',
  (address) => {
    const connections = createConnectionLimit(1)
    for (let n = 0; n < 5; n++) expect(connections.enter(address)).toBe(true)
    connections.leave(address)
  },
)
