/** Tokens begin and end: one value for one grant, and everybody who cached an ended one hears of it. */
import { tokenHint, tokenRevoked } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertToken, revokeToken, type TokenRow, tokenOfGrant } from '../store/access-token.js'
import { lockName } from '../store/lock.js'

export interface Grant {
  applicationId: string
  userId: string | null
  scopes: readonly string[]
}
export interface GivenToken {
  id: string
  value: string
  scopes: readonly string[]
  createdAt: Date
}

type Giving = Pick<Context, 'ids' | 'clock' | 'tokens'>

/** A fresh token, whatever else the grant has. */
export const makeToken = async (ctx: Giving, tx: Tx, grant: Grant, byOperator = false): Promise<GivenToken> => {
  const id = ctx.ids.next()
  const nonce = ctx.tokens.nonce()
  const value = ctx.tokens.valueOf(nonce)
  const createdAt = ctx.clock.date()
  await insertToken(tx, { id, ...grant, hash: ctx.tokens.digest(value), nonce, byOperator, createdAt })
  return { id, value, scopes: grant.scopes, createdAt }
}

/** The token of a grant: the one it has, or a fresh one. Two at once get the same. */
export const giveToken = async (ctx: Giving, tx: Tx, grant: Grant): Promise<GivenToken> => {
  await lockName(tx, `grant ${grant.applicationId} ${grant.userId ?? ''}`)
  const known = await tokenOfGrant(tx, grant)
  if (!known) return makeToken(ctx, tx, grant)
  return { id: known.id, value: ctx.tokens.valueOf(known.nonce), scopes: known.scopes, createdAt: known.created_at }
}

/** Ends a token; streams and push subscriptions go with the event. Harmless when it was ended before. */
export const endToken = async (
  ctx: Pick<Context, 'announce' | 'clock' | 'hints'>,
  tx: Tx,
  token: Pick<TokenRow, 'id' | 'user_id'>,
): Promise<void> => {
  if (!(await revokeToken(tx, token.id, ctx.clock.date()))) return
  await ctx.announce(tx, tokenRevoked, { tokenIds: [token.id], userId: token.user_id })
  tx.onCommit(() => ctx.hints.send(tokenHint, [token.id]))
}
