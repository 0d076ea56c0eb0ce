/** Valid ids, origins of ids, and domain names. */

import { expect, test } from 'vitest'
import { hostOf, isPublic, originOf, readDomain, readUri, sameOrigin, type Uri, withoutFragment } from './uri.js'

test.each([
  'https://wp.example/?p=148#activity',
  'https://bridge.example/ap/did:plc:abc123',
  'https://lemmy.example/c/cats//featured',
  'https://a.example/Users/%41%6c',
  'http://a.example:8080/x',
  'https://EXAMPLE.org/A',
  'https://b\u00fccher.example/x',
  'https://[2001:db8::1]/x',
])('I3: %s is kept byte for byte', (uri) => {
  expect(readUri(uri)).toBe(uri)
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a number', 5],
  ['an object', { id: 'https://a.example' }],
  ['a list', ['https://a.example']],
  ['empty', ''],
  ['relative', '/users/a'],
  ['without scheme', 'a.example/x'],
  ['data', 'data:text/html,x'],
  ['javascript', 'javascript:alert(1)'],
  ['ftp', 'ftp://a.example/x'],
  ['acct', 'acct:a@a.example'],
  ['user info', 'https://u:p@a.example/'],
  ['user', 'http://good@10.0.0.1/'],
  ['no host', 'https:///x'],
  ['white space', 'https://a.example/a b'],
  ['a line end', 'https://a.example/a\nb'],
  ['a leading space', ' https://a.example/'],
  ['NUL', 'https://a.example/\u0000'],
  ['a backslash', 'https://good.example\\@evil.example/'],
  ['a trailing dot', 'https://evil.example./x'],
  ['a bad port', 'https://a.example:99999/'],
  ['a bad host', 'https://a b.example/'],
  ['2,049 characters', `https://a.example/${'x'.repeat(2031)}`],
])('A014 hostile 39: %s is no id', (_, value) => {
  expect(readUri(value)).toBeNull()
})

test.each([
  ['https://EVIL.example/x', 'evil.example'],
  ['https://evil.example:443/x', 'evil.example'],
  ['http://evil.example:80/x', 'evil.example'],
  ['https://evil.example:8443/x', 'evil.example:8443'],
  ['https://b\u00fccher.example/x', 'xn--bcher-kva.example'],
  ['https://\uff45vil\u3002example/x', 'evil.example'],
  ['https://0x7f.1/x', '127.0.0.1'],
  ['nonsense', null],
])('A026 hostile 87: the host of %s is %s', (uri, host) => {
  expect(hostOf(uri)).toBe(host)
})

test('same origin: scheme, host and port', () => {
  expect(sameOrigin('https://a.example/x', 'https://A.example:443/y#z')).toBe(true)
  expect(sameOrigin('https://a.example/x', 'http://a.example/x')).toBe(false)
  expect(sameOrigin('https://a.example/x', 'https://a.example:8443/x')).toBe(false)
  expect(sameOrigin('https://a.example/x', 'https://b.a.example/x')).toBe(false)
  expect(sameOrigin('x', 'x')).toBe(false)
  expect(originOf('https://a.example/x')).toBe('https://a.example')
})

test.each(['https://www.w3.org/ns/activitystreams#Public', 'as:Public', 'Public'])(
  'I2: %s is the public collection',
  (it) => {
    expect(isPublic(it)).toBe(true)
  },
)

test('a local-only audience of another server is not the public collection', () => {
  expect(isPublic('https://pleroma.example/#Public')).toBe(false)
})

test('withoutFragment removes the fragment', () => {
  expect(withoutFragment('https://a.example/x?y#z#w' as Uri)).toBe('https://a.example/x?y')
})

test.each([
  ['News.Example', 'news.example'],
  ['news.example.', 'news.example'],
  ['news.example:8443', 'news.example:8443'],
  ['b\u00fccher.example', 'xn--bcher-kva.example'],
  ['news.example\u0000', null],
  ['news.example\ufffd', null],
  ['news.example/path', null],
  ['a@news.example', null],
  ['', null],
  [{}, null],
  [['news.example'], null],
])('A021 domain %j', (value, domain) => {
  expect(readDomain(value)).toBe(domain)
})
