/** A token for an application itself, without a person. */
import type { Context } from '../context.js'
import { oauthFailure } from '../domain/oauth-error.js'
import { requestedScopes } from '../domain/requested-scopes.js'
import type { ApplicationRow } from '../store/application.js'
import { type GivenToken, giveToken } from './token.js'

export const grantToClient = (
  ctx: Pick<Context, 'db' | 'tokens' | 'ids' | 'clock' | 'log'>,
  app: ApplicationRow,
  scope: string | undefined,
): Promise<GivenToken> => {
  const scopes = requestedScopes(scope, app.scopes)
  if (!scopes) throw oauthFailure('invalid_scope')
  return ctx.db.tx((tx) => giveToken(ctx, tx, { applicationId: app.id, userId: null, scopes }))
}
