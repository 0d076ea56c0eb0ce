/** Tests of authorization requests and of redirects. */
import { expect, test } from 'vitest'
import { checkRequest, destinationOf, redirectTo, redirectWithCode } from './authorization.rules.js'

const client = { redirect_uris: ['https://a.example/cb', 'app://x'], scopes: ['read', 'write'] }
const request = { client_id: 'c', redirect_uri: 'app://x', response_type: 'code' }

test('scopes are separated by spaces or plus signs, and default to `read`', () => {
  expect(checkRequest({ ...request, scope: 'read+write' }, client)).toMatchObject({ scopes: ['read', 'write'] })
  expect(checkRequest(request, client)).toMatchObject({ kind: 'accepted', scopes: ['read'], challenge: null })
})

test('S-172 a scope that the application has not registered literally is refused', () => {
  for (const scope of ['read:accounts', 'follow', 'x'])
    expect(checkRequest({ ...request, scope }, client)).toMatchObject({ error: 'invalid_scope', status: 400 })
})

test('an unknown client is refused, whatever the other parameters are', () => {
  expect(checkRequest(request, null)).toMatchObject({ kind: 'refused', error: 'invalid_client', status: 401 })
})

test('parameters are appended to the redirect URI, which stays unchanged', () => {
  expect(redirectTo('https://a.example/cb?x=%20y', undefined, { code: 'a b', state: undefined }).redirect).toBe(
    'https://a.example/cb?x=%20y&code=a+b',
  )
  expect(redirectTo('https://a.example', 'query', { code: 'c' }).redirect).toBe('https://a.example?code=c')
  for (const uri of ['urn:ietf:wg:oauth:2.0:oob', 'urn:ietf:wg:oauth:2.0:oob:auto'])
    expect(redirectWithCode({}, uri, 'c', 'https://here.example').redirect).toBe(
      'https://here.example/oauth/authorize/native?code=c',
    )
})

test('the consent page shows the host of the redirect URI, or the scheme of an app', () => {
  expect(destinationOf('https://a.example:8080/cb')).toBe('a.example:8080')
  expect(destinationOf('com.example.app:/cb')).toBe('com.example.app:')
  expect(destinationOf('evil://mastodon.example/cb')).toBe('evil:')
  for (const uri of ['urn:ietf:wg:oauth:2.0:oob', 'urn:ietf:wg:oauth:2.0:oob:auto', 'URN:IETF:WG:OAUTH:2.0:OOB'])
    expect(destinationOf(uri)).toBe('')
})
