/** Exchanges a code, client credentials or a password for a token. */
import type { Context } from '../context.js'
import { userByPassword } from '../core/credential/own-login.js'
import { tokenById } from '../core/token/store.js'
import { endToken, type GivenToken, giveToken } from '../core/token/token.js'
import { stateOf } from '../core/user/state.rules.js'
import { lockUser } from '../core/user/store.js'
import { factorsOf } from '../second-factor/index.js'
import type { ApplicationRow } from './application.store.js'
import { type CodeRow, codeByDigest, recordTokenOfCode, takeCode } from './authorization-code.store.js'
import { fitsCode } from './code.rules.js'
import { requestedScopes } from './grant.rules.js'
import { missingParameter, oauthFailure } from './oauth-error.rules.js'

/** Issues a token for an application without a user. */
export const grantToClient = (
  ctx: Pick<Context, 'db' | 'tokens' | 'ids' | 'clock' | 'log'>,
  app: ApplicationRow,
  scope: string | undefined,
): Promise<GivenToken> => {
  const scopes = requestedScopes(scope, app.scopes)
  if (!scopes) throw oauthFailure('invalid_scope')
  return ctx.db.tx((tx) => giveToken(ctx, tx, { applicationId: app.id, userId: null, scopes }))
}

type Granting = Pick<Context, 'db' | 'tokens' | 'ids' | 'clock' | 'announce' | 'invalidations' | 'log'>

/**
 * Refuses an authorization code that was used before. If the request was sent after the first use, the code was stolen,
 * and its token is revoked (D016). A request in parallel to the first use has no such effect (F066).
 */
const refuseUsed = async (ctx: Granting, code: CodeRow, arrivedAt: number): Promise<never> => {
  const replayed = code.used_at !== null && code.used_at.getTime() < arrivedAt
  const token = replayed && code.token_id ? await tokenById(ctx.db, code.token_id) : null
  if (token) await ctx.db.tx((tx) => endToken(ctx, tx, token))
  throw oauthFailure('invalid_grant')
}

/** Exchanges an authorization code for a token. If concurrent requests exchange the same code, only one gets a token. */
export const exchangeCode = async (
  ctx: Granting,
  app: ApplicationRow,
  input: { code?: string | undefined; redirect_uri?: string | undefined; code_verifier?: string | undefined },
  arrivedAt: number,
): Promise<GivenToken> => {
  if (!input.code) throw missingParameter('code')
  const hash = ctx.tokens.digest(input.code)
  const code = await codeByDigest(ctx.db, hash)
  const request = {
    applicationId: app.id,
    redirectUri: input.redirect_uri,
    verifier: input.code_verifier,
    now: ctx.clock.now(),
  }
  if (!code || !fitsCode(code, request)) throw oauthFailure('invalid_grant')
  if (code.used_at) return refuseUsed(ctx, code, arrivedAt)
  const token = await ctx.db.tx(async (tx) => {
    const user = await lockUser(tx, code.user_id)
    if (!user || stateOf(user) !== 'ok') throw oauthFailure('invalid_grant')
    if (!(await takeCode(tx, hash, ctx.clock.date()))) return null
    const given = await giveToken(ctx, tx, { applicationId: app.id, userId: code.user_id, scopes: code.scopes })
    // The stored time is just before the commit. Requests with the same code that arrived earlier were sent in parallel.
    await recordTokenOfCode(tx, hash, given.id, ctx.clock.date())
    return given
  })
  return token ?? refuseUsed(ctx, (await codeByDigest(ctx.db, hash)) ?? code, arrivedAt)
}

/** Issues a token for an e-mail address and a password, for old clients. */
export const grantForPassword = async (
  ctx: Pick<Context, 'db' | 'tokens' | 'ids' | 'clock' | 'passwords' | 'log'>,
  app: ApplicationRow,
  input: { username?: string | undefined; password?: string | undefined; scope?: string | undefined },
): Promise<GivenToken> => {
  if (!input.username) throw missingParameter('username')
  if (!input.password) throw missingParameter('password')
  const scopes = requestedScopes(input.scope, app.scopes)
  if (!scopes) throw oauthFailure('invalid_scope')
  const user = await userByPassword(ctx, input.username, input.password)
  if (!user || stateOf(user) !== 'ok') throw oauthFailure('invalid_grant')
  return ctx.db.tx(async (tx) => {
    // The password may have been changed while it was checked.
    const locked = await lockUser(tx, user.user_id)
    if (locked?.password_hash !== user.password_hash || stateOf(locked) !== 'ok') throw oauthFailure('invalid_grant')
    // A user with a second factor cannot get a token by password alone.
    if (await factorsOf(tx, user.user_id)) throw oauthFailure('invalid_grant')
    return giveToken(ctx, tx, { applicationId: app.id, userId: user.user_id, scopes })
  })
}
