/** Ends a token of the application that asks. */
import { tokenRevoke } from '@murmuration/contracts/accounts'
import { endToken } from '../../changes/token.js'
import { oauthFailure } from '../../domain/oauth-error.js'
import { handle } from '../../doors.js'
import { tokenByDigest } from '../../store/access-token.js'
import { authenticatedClient } from '../../views/client.js'

export const endTokenOfClient = handle(tokenRevoke, async (ctx, _viewer, input) => {
  const app = await authenticatedClient(ctx, input)
  if (!app) throw oauthFailure('unauthorized_client')
  const token = input.token ? await tokenByDigest(ctx.db, ctx.tokens.digest(input.token)) : null
  if (token && token.application_id !== app.id) throw oauthFailure('unauthorized_client')
  // A token nobody knows is as good as revoked (RFC 7009 section 2.2).
  if (token) await ctx.db.tx((tx) => endToken(ctx, tx, token))
  return {}
})
