/** Gives a token: for an authorization code, for an application itself, or for a password where that is allowed. */
import { tokenIssue } from '@murmuration/contracts/accounts'
import { arrivedAt } from '@murmuration/kernel'
import { grantToClient } from '../../changes/grant-client.js'
import { exchangeCode } from '../../changes/grant-code.js'
import { grantForPassword } from '../../changes/grant-password.js'
import { missingParameter, oauthFailure } from '../../domain/oauth-error.js'
import { passwordGrantAllowed } from '../../domain/password-grant.js'
import { handle } from '../../doors.js'
import { authenticatedClient } from '../../views/client.js'
import { tokenReply } from '../../views/token.js'

export const issueToken = handle(tokenIssue, async (ctx, _viewer, input, request) => {
  // Parallel requests wait in line at the edge. Only one that arrived after the code was used repeats it.
  const arrived = arrivedAt(request, ctx.clock.now())
  if (!input.grant_type) throw missingParameter('grant_type')
  const app = await authenticatedClient(ctx, input)
  if (!app) throw oauthFailure('invalid_client')
  switch (input.grant_type) {
    case 'authorization_code':
      return tokenReply(await exchangeCode(ctx, app, input, arrived))
    case 'client_credentials':
      return tokenReply(await grantToClient(ctx, app, input.scope))
    case 'password':
      if (!ctx.config.externalOnly && passwordGrantAllowed(ctx.config.passwordGrant, ctx.common.mode))
        return tokenReply(await grantForPassword(ctx, app, input))
      throw oauthFailure('unsupported_grant_type')
    default:
      throw oauthFailure('unsupported_grant_type')
  }
})
