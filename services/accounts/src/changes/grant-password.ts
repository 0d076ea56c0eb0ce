/** A token for an e-mail address and a password, for older tools. */
import type { Context } from '../context.js'
import { missingParameter, oauthFailure } from '../domain/oauth-error.js'
import { stateOf } from '../domain/person-state.js'
import { requestedScopes } from '../domain/requested-scopes.js'
import type { ApplicationRow } from '../store/application.js'
import { personByPassword } from '../views/person-by-password.js'
import { factorsOf } from '../views/second-factor.js'
import { type GivenToken, giveToken } from './token.js'

export const grantForPassword = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'ids' | 'clock' | 'passwords' | 'log'>,
  app: ApplicationRow,
  input: { username?: string | undefined; password?: string | undefined; scope?: string | undefined },
): Promise<GivenToken> => {
  if (!input.username) throw missingParameter('username')
  if (!input.password) throw missingParameter('password')
  const scopes = requestedScopes(input.scope, app.scopes)
  if (!scopes) throw oauthFailure('invalid_scope')
  const person = await personByPassword(ctx, input.username, input.password)
  if (!person || stateOf(person) !== 'ok') throw oauthFailure('invalid_grant')
  // A password alone does not sign these people in anywhere.
  if (await factorsOf(ctx.db, person.user_id)) throw oauthFailure('invalid_grant')
  return ctx.db.tx((tx) => giveToken(ctx, tx, { applicationId: app.id, userId: person.user_id, scopes }))
}
