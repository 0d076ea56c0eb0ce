/** Tests of redirect URIs: schemes that browsers open themselves are refused at registration and in requests. */
import { expect, test } from 'vitest'
import { registrationOf } from './application.rules.js'
import { checkRequest } from './authorization.rules.js'

const register = (uri: string) => registrationOf({ client_name: 'App', redirect_uris: [uri] })
const REFUSED = [
  'file:///etc/passwd',
  'FILE:///c:/x',
  'blob:https://a.example/1',
  'view-source:https://a.example/',
  'about:blank',
  'filesystem:https://a.example/temporary/x',
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'jar:https://a.example!/x',
  'resource://x/',
  'chrome://settings/',
  'mailto:a@b.example',
  'ftp://a.example/',
  'wss://a.example/',
  'tel:+491234',
  'SMS:+491234',
  'sip:a@b.example',
  'smb://host/share',
  'ldap://a.example/',
  'ssh://a.example/',
  'search-ms:query=x',
  'ms-msdt:/id',
  'shell:startup',
  'mhtml:http://a.example/',
  'wyciwyg://1/http://a.example/',
  'brave:a',
  'callto:a',
  'content:a',
  'devtools:a',
  'dict:a',
  'facetime:a',
  'facetime-audio:a',
  'mms:a',
  'mmsto:a',
  'ms-officecmd:a',
  'news:a',
  'nntp:a',
  'opera:a',
  'search:a',
  'smsto:a',
  'tftp:a',
  'vivaldi:a',
]

test.each(REFUSED)('%s is refused as a redirect URI of a new app', (uri) => {
  expect(() => register(uri)).toThrow('Redirect URI is forbidden by the server.')
})

test.each(REFUSED)('%s is refused in an authorization, although an older version registered it', (uri) => {
  const request = { client_id: 'c', redirect_uri: uri, response_type: 'code' }
  expect(checkRequest(request, { redirect_uris: [uri], scopes: ['read'] })).toMatchObject({
    kind: 'refused',
    error: 'invalid_redirect_uri',
  })
})

test.each([
  'https://a.example/cb',
  'http://localhost:3000/',
  'app://x',
  'com.example.app:/oauth',
  'urn:ietf:wg:oauth:2.0:oob',
  'chrome-extension://abc/cb',
])('%s is accepted', (uri) => {
  expect(register(uri).redirectUris).toEqual([uri])
})

test.each(['https:a', 'http:a/b', 'https:/a', 'https:///a', 'HTTPS:a'])(
  '%s is refused, because it names no host',
  (uri) => {
    expect(() => register(uri)).toThrow('Redirect URI must be an absolute URI.')
  },
)
