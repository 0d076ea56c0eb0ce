/** Creates an authorization code for a validated request, and returns the redirect with this code. */
import type { AuthorizationRedirect, AuthorizationRequest } from '@murmuration/contracts/accounts'
import { limits } from '@murmuration/contracts/limits'
import type { Context } from '../context.js'
import { lockSession } from '../core/session/signed-in.js'
import type { SessionRow } from '../core/session/store.js'
import type { ApplicationRow } from './application.store.js'
import { type Accepted, redirectWithCode } from './authorization.rules.js'
import { insertCode } from './authorization-code.store.js'

/** Returns null if the session of the user ended meanwhile. */
export const makeCode = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'clock' | 'site'>,
  app: ApplicationRow,
  { session, user }: { session: string; user: SessionRow },
  request: AuthorizationRequest,
  accepted: Accepted,
): Promise<AuthorizationRedirect | null> => {
  const code = ctx.tokens.random()
  const now = ctx.clock.now()
  const isStored = await ctx.db.tx(async (tx) => {
    // Without the lock, a change of the password could delete the codes of the user before this one is stored.
    if ((await lockSession(ctx, tx, session, user)) === null) return false
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
    return true
  })
  return isStored ? redirectWithCode(request, accepted.redirectUri, code, ctx.site.origin) : null
}
