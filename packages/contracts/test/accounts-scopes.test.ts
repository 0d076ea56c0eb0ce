/** Every route of accounts requires the token and scopes of the upstream API. */
import { expect, test } from 'vitest'
import * as accounts from '../src/accounts/index.js'
import type { AnyOperation } from '../src/kit/index.js'
import { scopeAllows } from '../src/scopes.js'

/** `METHOD path` → kind of token and scopes. One of the scopes suffices. */
const table: Record<string, string> = {
  'POST /api/v1/accounts/:id/email_subscriptions': 'optional',
  'GET /.well-known/oauth-authorization-server': 'anyone',
  'GET /api/v1/accounts': 'optional read read:accounts',
  'GET /api/v1/accounts/:id': 'optional read read:accounts',
  'GET /api/v1/accounts/:id/endorsements': 'optional read read:accounts',
  'GET /api/v1/accounts/:id/followers': 'optional read read:accounts',
  'GET /api/v1/accounts/:id/following': 'optional read read:accounts',
  'GET /api/v1/accounts/:id/identity_proofs': 'user',
  'GET /api/v1/accounts/:id/lists': 'user read read:lists',
  'GET /api/v1/accounts/familiar_followers': 'user read read:follows',
  'GET /api/v1/accounts/lookup': 'optional read read:accounts',
  'GET /api/v1/accounts/relationships': 'user read read:follows',
  'GET /api/v1/accounts/search': 'user read read:accounts',
  'GET /api/v1/accounts/verify_credentials': 'user profile read read:accounts',
  'GET /api/v1/apps/verify_credentials': 'app',
  'GET /api/v1/blocks': 'user read read:blocks follow',
  'GET /api/v1/domain_blocks': 'user read read:blocks follow',
  'GET /api/v1/domain_blocks/preview': 'user write write:blocks follow',
  'GET /api/v1/endorsements': 'user read read:accounts',
  'GET /api/v1/follow_requests': 'user read read:follows follow',
  'GET /api/v1/lists': 'user read read:lists',
  'GET /api/v1/lists/:id': 'user read read:lists',
  'GET /api/v1/lists/:id/accounts': 'user read read:lists',
  'GET /api/v1/mutes': 'user read read:mutes follow',
  'GET /api/v1/preferences': 'user read read:accounts',
  'GET /oauth/token/info': 'app',
  'GET /oauth/userinfo': 'user profile',
  'POST /api/v1/accounts/:id/block': 'user write write:blocks follow',
  'POST /api/v1/accounts/:id/endorse': 'user write write:accounts',
  'POST /api/v1/accounts/:id/follow': 'user write write:follows follow',
  'POST /api/v1/accounts/:id/mute': 'user write write:mutes follow',
  'POST /api/v1/accounts/:id/note': 'user write write:accounts',
  'POST /api/v1/accounts/:id/pin': 'user write write:accounts',
  'POST /api/v1/accounts/:id/remove_from_followers': 'user write write:follows follow',
  'POST /api/v1/accounts/:id/unblock': 'user write write:blocks follow',
  'POST /api/v1/accounts/:id/unendorse': 'user write write:accounts',
  'POST /api/v1/accounts/:id/unfollow': 'user write write:follows follow',
  'POST /api/v1/accounts/:id/unmute': 'user write write:mutes follow',
  'POST /api/v1/accounts/:id/unpin': 'user write write:accounts',
  'POST /api/v1/apps': 'anyone',
  'POST /api/v1/domain_blocks': 'user write write:blocks follow',
  'POST /api/v1/follow_requests/:account_id/authorize': 'user write write:follows follow',
  'POST /api/v1/follow_requests/:account_id/reject': 'user write write:follows follow',
  'POST /api/v1/lists': 'user write write:lists',
  'POST /api/v1/lists/:id/accounts': 'user write write:lists',
  'POST /oauth/introspect': 'optional',
  'POST /oauth/revoke': 'anyone',
  'POST /oauth/token': 'anyone',
  'POST /oauth/userinfo': 'user profile',
  'PATCH /api/v1/accounts/update_credentials': 'user write write:accounts',
  'PUT /api/v1/accounts/update_credentials': 'user write write:accounts',
  'PATCH /api/v1/lists/:id': 'user write write:lists',
  'PUT /api/v1/lists/:id': 'user write write:lists',
  'DELETE /api/v1/domain_blocks': 'user write write:blocks follow',
  'DELETE /api/v1/lists/:id': 'user write write:lists',
  'DELETE /api/v1/lists/:id/accounts': 'user write write:lists',
  'DELETE /api/v1/profile/avatar': 'user write write:accounts',
  'DELETE /api/v1/profile/header': 'user write write:accounts',
  'POST /api/v1/collections': 'user write write:collections',
  'POST /api/v1_alpha/collections': 'user write write:collections',
  'POST /api/v1/collections/:collection_id/items': 'user write write:collections',
  'POST /api/v1_alpha/collections/:collection_id/items': 'user write write:collections',
  'DELETE /api/v1/collections/:collection_id/items/:id': 'user write write:collections',
  'DELETE /api/v1_alpha/collections/:collection_id/items/:id': 'user write write:collections',
  'POST /api/v1/collections/:collection_id/items/:id/revoke': 'user write write:collections',
  'POST /api/v1_alpha/collections/:collection_id/items/:id/revoke': 'user write write:collections',
  'DELETE /api/v1/collections/:id': 'user write write:collections',
  'DELETE /api/v1_alpha/collections/:id': 'user write write:collections',
  'GET /api/v1/collections/:id': 'optional read read:collections',
  'GET /api/v1_alpha/collections/:id': 'optional read read:collections',
  'PUT /api/v1/collections/:id': 'user write write:collections',
  'PATCH /api/v1/collections/:id': 'user write write:collections',
  'PUT /api/v1_alpha/collections/:id': 'user write write:collections',
  'PATCH /api/v1_alpha/collections/:id': 'user write write:collections',
  'GET /api/v1/accounts/:id/collections': 'optional read read:collections',
  'GET /api/v1_alpha/accounts/:id/collections': 'optional read read:collections',
  'GET /api/v1/accounts/:id/in_collections': 'user read read:collections',
  'GET /api/v1_alpha/accounts/:id/in_collections': 'user read read:collections',
  'GET /api/v1/directory': 'optional',
  'GET /api/v1/emails/check_confirmation': 'optional read read:accounts',
  'POST /api/v1/emails/confirmations': 'user write write:accounts',
  'POST /api/v1/accounts': 'app write write:accounts',
  'GET /api/v1/suggestions': 'user read read:accounts',
  'DELETE /api/v1/suggestions/:account_id': 'user write write:accounts',
  'GET /api/v2/suggestions': 'user read read:accounts',
  'GET /api/murmuration/v1/admin/invites': 'user admin:read',
  'POST /api/murmuration/v1/admin/accounts/:id/memorialize': 'user admin:write admin:write:accounts',
  'POST /api/murmuration/v1/admin/accounts/:id/tokens': 'user admin:write',
  'DELETE /api/murmuration/v1/admin/invites/:id': 'user admin:write',
  'GET /api/murmuration/v1/admin/roles': 'user admin:read',
  'POST /api/murmuration/v1/admin/roles': 'user admin:write',
  'GET /api/murmuration/v1/admin/roles/:id': 'user admin:read',
  'PUT /api/murmuration/v1/admin/roles/:id': 'user admin:write',
  'PATCH /api/murmuration/v1/admin/roles/:id': 'user admin:write',
  'DELETE /api/murmuration/v1/admin/roles/:id': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts': 'user admin:write admin:write:accounts',
  'POST /api/murmuration/v1/admin/recounts/accounts': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts/:id/role': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts/:id/refresh': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts/refresh': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts/cull': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts/:id/rotate_keys': 'user admin:write admin:write:accounts',
  'POST /api/murmuration/v1/admin/accounts/rotate_keys': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts/:id/follow_from_all': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts/:id/end_follows': 'user admin:write',
  'POST /api/murmuration/v1/admin/media/remove_profiles': 'user admin:write',
  'POST /api/murmuration/v1/admin/domains/purge': 'user admin:write',
  'GET /api/murmuration/v1/admin/tasks/accounts': 'user admin:read',
  'GET /api/murmuration/v1/admin/tasks/accounts/:id': 'user admin:read',
  'POST /api/murmuration/v1/admin/tasks/accounts/:id/stop': 'user admin:write',
  'POST /api/murmuration/v1/admin/accounts/:id/email': 'user admin:write admin:write:accounts',
  'POST /api/murmuration/v1/admin/accounts/:id/confirm': 'user admin:write admin:write:accounts',
  'POST /api/murmuration/v1/admin/accounts/:id/reset_password': 'user admin:write admin:write:accounts',
  'POST /api/murmuration/v1/admin/accounts/:id/disable_2fa': 'user admin:write admin:write:accounts',
}

const operations = Object.values(accounts).filter(
  (one): one is AnyOperation => typeof one === 'object' && 'kind' in one && one.kind === 'operation',
)
const routes = operations.flatMap((one) =>
  one.http.map((route) => ({ route: `${route.method} ${route.path}`, viewer: one.viewer })),
)

test('S-177 the scopes of every route', () => {
  expect(
    Object.fromEntries(routes.map(({ route, viewer }) => [route, [viewer.kind, ...viewer.scopes].join(' ')])),
  ).toEqual(table)
})

test('S-171 read:me allows the own account and nothing else', () => {
  const opened = routes.filter(({ viewer }) => viewer.scopes.length > 0 && scopeAllows(['read:me'], viewer.scopes))
  expect(opened.map((one) => one.route).sort()).toEqual([
    'GET /api/v1/accounts/verify_credentials',
    'GET /oauth/userinfo',
    'POST /oauth/userinfo',
  ])
})

test('S-170 follow allows relationships, blocks and mutes, but no profile', () => {
  const opened = routes.filter(({ viewer }) => viewer.scopes.length > 0 && scopeAllows(['follow'], viewer.scopes))
  expect(opened.every(({ route }) => /follow|block|mute|relationships/.test(route))).toBe(true)
  expect(opened.map((one) => one.route)).toContain('POST /api/v1/accounts/:id/follow')
})

test('operations without a route are internal, and operations with a route are not', () => {
  for (const one of operations) expect(one.http.length === 0, one.name).toBe(one.viewer.kind === 'internal')
})
