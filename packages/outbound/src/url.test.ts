/** URLs of other servers that are refused before any DNS lookup. */

import { expect, test } from 'vitest'
import { addressGuard } from './address.js'
import { OutboundError } from './errors.js'
import { guardUrl, type UrlPolicy } from './url.js'

const production: UrlPolicy = {
  allowed: addressGuard(),
  allowHttp: false,
  allowLocalNames: false,
  ports: new Set([80, 443]),
}
const withHttp: UrlPolicy = { ...production, allowHttp: true, ports: 'any' }

function codeOf(url: string, policy = withHttp): string {
  try {
    return guardUrl(url, policy).href
  } catch (error) {
    if (error instanceof OutboundError) return error.code
    throw error
  }
}

test.each([
  ['A102', 'http://[::]:8080/'],
  ['A103', 'http://[64:ff9b:1::a00:9]/'],
  ['A103', 'http://[::ffff:10.0.0.9]/'],
  ['A104', 'http://[::ffff:a9fe:a9fe]/'],
  ['A105', 'http://127.0.0.1#@remote.example/'],
  ['A105 percent-encoded dots', 'http://127%2e0%2e0%2e1/'],
  ['A116', 'https://localhost:9000/x'],
  ['A116', 'https://localhost./x'],
  ['A116', 'https://a.localhost/x'],
  ['A117', 'http://0.0.0.0:8080/'],
  ['A117', 'http://0/'],
  ['decimal', 'http://2130706433/'],
  ['hex', 'http://0x7f.1/'],
  ['hex', 'http://0x7f000001/'],
  ['octal', 'http://0177.0.0.1/'],
  ['short', 'http://127.1/'],
  ['short private', 'http://10.9/'],
  ['upper-case hex', 'http://0X7F.0.0.1/'],
  ['trailing dot on an address', 'http://127.0.0.1./'],
  ['metadata', 'http://169.254.169.254/latest/meta-data/'],
  ['metadata name', 'http://metadata.google.internal/'],
  ['mDNS', 'http://printer.local/'],
  ['onion', 'http://abc.onion/'],
  ['i2p', 'http://abc.i2p/'],
  ['cluster name', 'http://accounts.default.svc/'],
  ['cluster name', 'http://accounts.default.svc.cluster.local/'],
  ['home network', 'http://nas.home.arpa/'],
  ['single label', 'http://redis/'],
  ['private 172', 'http://172.31.255.255/'],
  ['class E', 'http://240.0.0.1/'],
])('hostile 96 D058 %s: %s is a forbidden address', (_row, url) => {
  expect(codeOf(url)).toBe('forbidden_address')
})

test.each([
  ['A105 user info', 'http://remote.example@127.0.0.1/'],
  ['A105 user info', 'https://user:pass@remote.example/'],
  ['A105 empty user info', 'https://@remote.example/'],
  ['A105 tab in the host', 'http://127.0.\t0.1/'],
  ['A105 tab in the path', 'https://remote.example/a\tb'],
  ['A105 full-width letters', 'http://ｌocalhost/'],
  ['A105 full-width digits', 'http://１２７.0.0.1/'],
  ['A185 ideographic dots', 'http://127。0。0。1/'],
  ['A185 full-width dot', 'https://evil．example/'],
  ['A185 half-width dot', 'https://evil｡example/'],
  ['A185 NUL', 'https://remote.example\u0000.evil/'],
  ['A185 encoded NUL', 'https://remote.example%00.evil/'],
  ['A201 line break', 'https://remote.example/\r\nHost: x'],
  ['backslash', 'https://remote.example\\@127.0.0.1/'],
  ['leading space', ' https://remote.example/'],
  ['direction control', 'https://remote.example/\u202eevil'],
  ['A110 data', 'data:application/json,{}'],
  ['A110 file', 'file:///etc/passwd'],
  ['gopher', 'gopher://remote.example/'],
  ['ftp', 'ftp://remote.example/'],
  ['blob', 'blob:https://remote.example/1'],
  ['javascript', 'javascript:alert(1)'],
  ['relative', '/users/rita'],
  ['no slashes', 'https:remote.example'],
  ['three slashes', 'https:///remote.example'],
  ['empty', ''],
  ['too long', `https://remote.example/${'a'.repeat(2048)}`],
  ['underscore', 'https://_dmarc.remote.example/'],
  ['hyphen at the edge', 'https://-a.remote.example/'],
  ['trailing dot', 'https://remote.example./'],
  ['empty label', 'https://remote..example/'],
  ['label of 64', `https://${'a'.repeat(64)}.example/`],
  ['port out of range', 'https://remote.example:99999/'],
  ['zone id', 'http://[fe80::1%25eth0]/'],
])('hostile 99 D058 %s: %j is no URL we follow', (_row, url) => {
  expect(codeOf(url)).toBe('bad_url')
})

test.each([
  ['https://remote.example/users/rita', 'https://remote.example/users/rita'],
  ['https://REMOTE.example', 'https://remote.example/'],
  ['https://remote.example/a#main-key', 'https://remote.example/a'],
  ['https://remote.example/é?q=%0d%0a', 'https://remote.example/%C3%A9?q=%0d%0a'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
  ['https://1.1.1.1/', 'https://1.1.1.1/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['http://remote.example:8080/', 'http://remote.example:8080/'],
])('D058 %s may be asked for', (url, href) => {
  expect(codeOf(url)).toBe(href)
})

test('D058 http is refused where only https is allowed', () => {
  expect(codeOf('http://remote.example/', production)).toBe('bad_url')
  expect(codeOf('https://remote.example/', production)).toBe('https://remote.example/')
})

test.each([22, 25, 4222, 5432, 6379, 11211])('hostile 100 D058 port %i belongs to another service', (port) => {
  expect(codeOf(`https://remote.example:${port}/`, production)).toBe('forbidden_address')
  expect(codeOf(`https://remote.example:${port}/`, withHttp)).toBe('forbidden_address')
})

test('D058 other ports are allowed only if listed', () => {
  expect(codeOf('https://remote.example:8443/', production)).toBe('forbidden_address')
  expect(codeOf('https://remote.example:8443/', { ...production, ports: new Set([8443]) })).toBe(
    'https://remote.example:8443/',
  )
})

test('D064 local names are checked by their addresses when private networks are allowed', () => {
  const local: UrlPolicy = { ...withHttp, allowLocalNames: true, allowed: addressGuard(['127.77.0.0/16']) }
  expect(codeOf('http://localhost:3000/', local)).toBe('http://localhost:3000/')
  expect(codeOf('http://127.77.0.1:3000/', local)).toBe('http://127.77.0.1:3000/')
  expect(codeOf('http://127.0.0.1:3000/', local)).toBe('forbidden_address')
})
