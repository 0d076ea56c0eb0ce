/** Creates an authorization code for a validated request, and returns the redirect with this code. */
import type { AuthorizationRedirect, AuthorizationRequest } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import type { ApplicationRow } from './application.store.js'
import { type Accepted, redirectWithCode } from './authorization.rules.js'
import { insertCode } from './authorization-code.store.js'

export const makeCode = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'site'>,
  app: ApplicationRow,
  userId: string,
  request: AuthorizationRequest,
  accepted: Accepted,
): Promise<AuthorizationRedirect> => {
  const code = ctx.tokens.random()
  const now = ctx.clock.now()
  await insertCode(ctx.db, {
    hash: ctx.tokens.digest(code),
    application_id: app.id,
    user_id: userId,
    redirect_uri: accepted.redirectUri,
    scopes: accepted.scopes,
    challenge: accepted.challenge,
    createdAt: new Date(now),
    expires_at: new Date(now + limits.oauth.codeSeconds * 1_000),
  })
  return redirectWithCode(request, accepted.redirectUri, code, ctx.site.origin)
}
