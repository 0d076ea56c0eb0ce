/** Whether a token is active, told to its own application only. */
import { tokenIntrospect } from '@murmuration/contracts/accounts'
import { oauthFailure } from '../../domain/oauth-error.js'
import { handle } from '../../doors.js'
import { tokenByDigest } from '../../store/access-token.js'
import { authenticatedClient } from '../../views/client.js'
import { unixSeconds } from '../../views/token.js'

export const introspectToken = handle(tokenIntrospect, async (ctx, _viewer, input, request) => {
  const asking = (await authenticatedClient(ctx, input))?.id ?? request.caller?.app?.id
  if (asking === undefined) throw oauthFailure('invalid_client')
  const token = input.token ? await tokenByDigest(ctx.db, ctx.tokens.digest(input.token)) : null
  const over = token?.expires_at !== null && (token?.expires_at.getTime() ?? 0) <= ctx.clock.now()
  if (!token || token.application_id !== asking || token.revoked_at || over) return { active: false as const }
  return {
    active: true as const,
    scope: token.scopes.join(' '),
    client_id: token.client_id,
    token_type: 'Bearer' as const,
    iat: unixSeconds(token.created_at),
  }
})
