/** Tokens begin and end: one value for one grant, and everybody who cached an ended one hears of it. */
import { tokenHint, tokenRevoked } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { insertToken, revokeToken, type TokenRow, tokenOfGrant } from './access-token.store.js'
import { lockName } from './lock.store.js'

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

type Giving = Pick<Context, 'ids' | 'clock' | 'tokens' | 'log'>

/** The log says which token it was and for whom, never what it reads. */
const tellGiven = (ctx: Giving, tx: Tx, tokenId: string, { applicationId, userId }: Grant, fresh: boolean): void =>
  tx.onCommit(() => ctx.log.info({ tokenId, applicationId, userId, fresh }, 'a token was given'))

/** A fresh token, whatever else the grant has. */
export const makeToken = async (ctx: Giving, tx: Tx, grant: Grant, byOperator = false): Promise<GivenToken> => {
  const id = ctx.ids.next()
  const nonce = ctx.tokens.nonce()
  const value = ctx.tokens.valueOf(nonce)
  const createdAt = ctx.clock.date()
  await insertToken(tx, { id, ...grant, hash: ctx.tokens.digest(value), nonce, byOperator, createdAt })
  tellGiven(ctx, tx, id, grant, true)
  return { id, value, scopes: grant.scopes, createdAt }
}

/** The token of a grant: the one it has, or a fresh one. Two at once get the same. */
export const giveToken = async (ctx: Giving, tx: Tx, grant: Grant): Promise<GivenToken> => {
  await lockName(tx, `grant ${grant.applicationId} ${grant.userId ?? ''}`)
  const known = await tokenOfGrant(tx, grant)
  if (!known) return makeToken(ctx, tx, grant)
  tellGiven(ctx, tx, known.id, grant, false)
  return { id: known.id, value: ctx.tokens.valueOf(known.nonce), scopes: known.scopes, createdAt: known.created_at }
}

type Telling = Pick<Context, 'announce' | 'hints' | 'log'>
/** Tokens of one person, or one of an application itself. */
type Ended = { tokenIds: string[]; userId: string | null }

/** A line holds no more ids than that; the rest is a number. */
const MOST_IDS = 50

/** Everybody hears which tokens ended: streams and push subscriptions go with the event, caches with the hint. */
export const announceRevoked = async (ctx: Telling, tx: Tx, ...ended: readonly Ended[]): Promise<void> => {
  if (ended.length === 0) return
  await ctx.announce(tx, tokenRevoked, ...ended)
  tx.onCommit(() => {
    const all = ended.flatMap((one) => one.tokenIds)
    ctx.hints.send(tokenHint, all)
    for (const { tokenIds, userId } of ended)
      ctx.log.info({ tokenIds: tokenIds.slice(0, MOST_IDS), tokens: tokenIds.length, userId }, 'tokens were revoked')
  })
}

/** Ends a token. Harmless when it was ended before. */
export const endToken = async (
  ctx: Telling & Pick<Context, 'clock'>,
  tx: Tx,
  token: Pick<TokenRow, 'id' | 'user_id'>,
): Promise<void> => {
  if (await revokeToken(tx, token.id, ctx.clock.date()))
    await announceRevoked(ctx, tx, { tokenIds: [token.id], userId: token.user_id })
}
