/** Connections of one address are counted; those of our own networks are not. */
import { expect, test } from 'vitest'
import { createCrowd } from './http-crowd.js'

test('D035 an address has so many places and no more, until one leaves', () => {
  const crowd = createCrowd(3)
  for (let n = 0; n < 3; n++) expect(crowd.enter('192.0.2.1')).toBe(true)
  expect([crowd.enter('192.0.2.1'), crowd.enter('::ffff:192.0.2.1'), crowd.enter('192.0.2.2')]).toEqual([
    false,
    false,
    true,
  ])
  crowd.leave('192.0.2.1')
  expect([crowd.enter('::ffff:192.0.2.1'), crowd.enter('192.0.2.1')]).toEqual([true, false])
})

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:1:2', true],
  ['2001:db8::1', '2001:db8:0:0:1::', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
])('D035 %s and %s share a household: %s', (one, other, shared) => {
  const crowd = createCrowd(1)
  expect([crowd.enter(one), crowd.enter(other)]).toEqual([true, !shared])
})

test.each(['127.0.0.1', '::1', '::ffff:10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', 'fe80::1', ''])(
  'proxies and neighbours at %j are not counted',
  (address) => {
    const crowd = createCrowd(1)
    for (let n = 0; n < 5; n++) expect(crowd.enter(address)).toBe(true)
    crowd.leave(address)
  },
)
