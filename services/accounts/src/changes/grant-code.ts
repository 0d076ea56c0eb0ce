/** An authorization code becomes a token: for exactly one of all who try. */
import type { Context } from '../context.js'
import { fitsCode } from '../domain/code.js'
import { missingParameter, oauthFailure } from '../domain/oauth-error.js'
import { stateOf } from '../domain/person-state.js'
import { tokenById } from '../store/access-token.js'
import type { ApplicationRow } from '../store/application.js'
import { type CodeRow, codeByDigest, noteTokenOfCode, takeCode } from '../store/authorization-code.js'
import { personByUserId } from '../store/user.js'
import { endToken, type GivenToken, giveToken } from './token.js'

type Granting = Pick<Context, 'db' | 'tokens' | 'ids' | 'clock' | 'announce' | 'hints' | 'log'>

/**
 * A code that comes again after it was used was stolen on one side or the other: what it gave is taken back (D016).
 * Who came in before that lost a race, which harms nobody (F066).
 */
const refuseUsed = async (ctx: Granting, code: CodeRow, arrivedAt: number): Promise<never> => {
  const replayed = code.used_at !== null && code.used_at.getTime() < arrivedAt
  const token = replayed && code.token_id ? await tokenById(ctx.db, code.token_id) : null
  if (token) await ctx.db.tx((tx) => endToken(ctx, tx, token))
  throw oauthFailure('invalid_grant')
}

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
  const person = await personByUserId(ctx.db, code.user_id)
  if (!person || stateOf(person) !== 'ok') throw oauthFailure('invalid_grant')

  const token = await ctx.db.tx(async (tx) => {
    if (!(await takeCode(tx, hash, ctx.clock.date()))) return null
    const given = await giveToken(ctx, tx, { applicationId: app.id, userId: code.user_id, scopes: code.scopes })
    // The time just before the commit: requests that arrived until then were sent in parallel.
    await noteTokenOfCode(tx, hash, given.id, ctx.clock.date())
    return given
  })
  return token ?? refuseUsed(ctx, (await codeByDigest(ctx.db, hash)) ?? code, arrivedAt)
}
