/** Creates an authorization code for a validated request, and returns the redirect with this code. */
import type { AuthorizationRedirect, AuthorizationRequest } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { lockSession } from '../core/session/signed-in.js'
import type { SessionRow } from '../core/session/store.js'
import { tokenOfGrant } from '../core/token/store.js'
import type { Grant } from '../core/token/token.js'
import type { ApplicationRow } from './application.store.js'
import { type Accepted, redirectWithCode } from './authorization.rules.js'
import { insertCode } from './authorization-code.store.js'

/**
 * `grant`: the grant because of which no consent was requested; null for a trusted application and after a consent.
 * Returns `signed-out` if the session ended meanwhile, and `revoked` if the grant was revoked meanwhile.
 */
export const makeCode = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'site'>,
  app: ApplicationRow,
  { session, user }: { session: string; user: SessionRow },
  request: AuthorizationRequest,
  accepted: Accepted,
  grant: Grant | null,
): Promise<AuthorizationRedirect | 'signed-out' | 'revoked'> => {
  const code = ctx.tokens.random()
  const now = ctx.clock.now()
  const failure = await ctx.db.tx(async (tx) => {
    // Without the lock, a change of the password could delete the codes of the user before this one is stored.
    if ((await lockSession(ctx, tx, session, user)) === null) return 'signed-out'
    if (grant && (await tokenOfGrant(tx, grant)) === null) return 'revoked'
    await insertCode(tx, {
      hash: ctx.tokens.digest(code),
      application_id: app.id,
      user_id: user.user_id,
      redirect_uri: accepted.redirectUri,
      scopes: accepted.scopes,
      challenge: accepted.challenge,
      createdAt: new Date(now),
      expires_at: new Date(now + limits.oauth.codeSeconds * 1_000),
    })
    return null
  })
  return failure ?? redirectWithCode(request, accepted.redirectUri, code, ctx.site.origin)
}
