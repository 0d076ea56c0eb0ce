/** Refusals of `authorize` and their order, as a table. */
import type { ResolvedToken } from '@murmuration/contracts/accounts'
import { type AnyOperation, anyone, app, Failure, get, operation, optional, user } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { authorize } from './auth.js'

const make = (viewer: AnyOperation['viewer']): AnyOperation =>
  operation('accounts.test.read', {
    http: get('/x'),
    viewer,
    input: z.object({}),
    output: z.object({}),
    about: 'A test.',
  })
const open = { membersOnly: false, limitedFederation: false }
const viewer = { id: '1', userId: '2', permissions: 65536, position: -1, locale: 'en' }
const token = (more: Partial<ResolvedToken> = {}): ResolvedToken => ({
  tokenId: '5',
  appId: '6',
  scopes: ['read'],
  viewer,
  state: 'ok',
  ...more,
})
const known = (more: Partial<ResolvedToken> = {}) => ({ found: token(more), why: 'ok' as const })

const outcome = (operation: AnyOperation, given: Parameters<typeof authorize>[1], access = open): string => {
  try {
    authorize(operation, given, access)
    return 'ok'
  } catch (error) {
    return error instanceof Failure ? `${error.status} ${error.message}` : String(error)
  }
}
const DISABLED = '403 Your login is currently disabled'
const OUTSIDE = '403 This action is outside the authorized scopes'

test.each([
  ['user', user('read|read:accounts'), null, '401 The access token is invalid'],
  ['user, revoked', user('read'), { found: null, why: 'revoked' as const }, '401 The access token was revoked'],
  ['user, expired', user('read'), { found: null, why: 'expired' as const }, '401 The access token expired'],
  ['user, wrong scope', user('write'), known(), OUTSIDE],
  ['user, granular scope suffices', user('read|read:accounts'), known({ scopes: ['read:accounts'] }), 'ok'],
  ['user, app token', user('read'), known({ viewer: null }), '422 This method requires an authenticated user'],
  ['user, no scope asked and no token', user(), null, '422 This method requires an authenticated user'],
  [
    'user, unconfirmed',
    user('read'),
    known({ state: 'unconfirmed' }),
    '403 Your login is missing a confirmed e-mail address',
  ],
  ['user, unapproved', user('read'), known({ state: 'unapproved' }), '403 Your login is currently pending approval'],
  ['user, disabled', user('read'), known({ state: 'disabled' }), DISABLED],
  ['suspended is checked before the scope', user('write'), known({ state: 'suspended' }), DISABLED],
  [
    'unconfirmed, but allowed by evenIf',
    user('read', { evenIf: ['unconfirmed'] }),
    known({ state: 'unconfirmed' }),
    'ok',
  ],
  ['optional, none', optional('read'), null, 'ok'],
  ['optional, unknown token is anonymous', optional('read'), { found: null, why: 'unknown' as const }, 'ok'],
  ['optional, revoked', optional('read'), { found: null, why: 'revoked' as const }, '401 The access token was revoked'],
  ['optional, wrong scope', optional('read:statuses'), known({ scopes: ['push'] }), OUTSIDE],
  ['app, none', app('write'), null, '401 The access token is invalid'],
  ['app without user', app(), known({ viewer: null, scopes: [] }), 'ok'],
  ['anyone ignores a bad token', anyone(), { found: null, why: 'unknown' as const }, 'ok'],
  ['staff without token', user('admin:read', { permission: 'manage_reports' }), null, '403 This action is not allowed'],
  ['staff without scope', user('admin:read', { permission: 'manage_reports' }), known(), OUTSIDE],
  [
    'staff without permission',
    user('admin:read', { permission: 'manage_reports' }),
    known({ scopes: ['admin:read'] }),
    '403 This action is not allowed',
  ],
  [
    'staff',
    user('admin:read', { permission: 'manage_reports' }),
    known({ scopes: ['admin:read'], viewer: { ...viewer, permissions: 0x10 } }),
    'ok',
  ],
])('S-174 S-177 %s', (_name, viewer, given, expected) => {
  expect(outcome(make(viewer), given)).toBe(expected)
})

test('D-2 the refusal of a token has a WWW-Authenticate header', () => {
  const refusal = (() => {
    try {
      authorize(make(user('read')), null, open)
    } catch (error) {
      return error as Failure
    }
  })()
  expect(refusal?.extras.headers?.['WWW-Authenticate']).toBe(
    'Bearer realm="Doorkeeper", error="invalid_token", error_description="The access token is invalid"',
  )
})
