/** Valid addresses of files on other servers, and their normal form. */
import { expect, test } from 'vitest'
import { remoteAddress } from './remote-address.js'

const own = ['Local.example', 'web.example:3000']

test.each([
  ['https://remote.example/a b.png', 'https://remote.example/a%20b.png'],
  ['https://remote.example/a?b#c', 'https://remote.example/a?b'],
  ['http://remote.example:8080/', 'http://remote.example:8080/'],
  ['javascript:1', null],
  ['data:image/png;base64,AA', null],
  ['https://user@remote.example/', null],
  ['https://local.example/system/media/1', null],
  ['https://LOCAL.example.:443/x', null],
  ['http://web.example:3000/x', null],
  ['//remote.example/a', null],
  [`https://remote.example/${'a'.repeat(2_040)}`, null],
])('A154 A134 %s', (text, expected) => {
  expect(remoteAddress(text, own)).toBe(expected)
})
