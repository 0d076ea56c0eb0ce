/**
 * Issues and revokes access tokens. Requests with the same application, user and scopes (a `Grant`) get the same token.
 * Services that cache a token are informed when it is revoked.
 */
import { tokenInvalidation, tokenRevoked } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../../context.js'
import { sameDigest } from '../credential/secrets.js'
import { lockName } from '../lock.store.js'
import { insertToken, revokeToken, type TokenRow, tokenOfGrant } from './store.js'

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

/** Logs the id and the user of an issued token, without the token value. */
const logIssued = (ctx: Giving, tx: Tx, tokenId: string, { applicationId, userId }: Grant, fresh: boolean): void =>
  tx.onCommit(() => ctx.log.info({ tokenId, applicationId, userId, fresh }, 'a token was issued'))

/**
 * Issues a new token, even if the grant has one already. `byOperator`: true for a token that `giveToken` never returns
 * again.
 */
export const makeToken = async (
  ctx: Giving,
  tx: Tx,
  grant: Grant,
  { byOperator = false, expiresAt = null }: { byOperator?: boolean; expiresAt?: Date | null } = {},
): Promise<GivenToken> => {
  const id = ctx.ids.next()
  const nonce = ctx.tokens.nonce()
  const value = ctx.tokens.valueOf(nonce)
  const createdAt = ctx.clock.date()
  await insertToken(tx, { id, ...grant, hash: ctx.tokens.digest(value), nonce, byOperator, createdAt, expiresAt })
  logIssued(ctx, tx, id, grant, true)
  return { id, value, scopes: grant.scopes, createdAt }
}

/**
 * Returns the access token of a grant: the existing token, or a new one. Concurrent calls return the same token. After a
 * change of SECRET_KEY_BASE, the value of an existing token may be unknown. Then it stays valid, and a new one is made.
 */
export const giveToken = async (ctx: Giving, tx: Tx, grant: Grant): Promise<GivenToken> => {
  await lockName(tx, `grant ${grant.applicationId} ${grant.userId ?? ''}`)
  const known = await tokenOfGrant(tx, grant)
  const value = known && ctx.tokens.valuesOf(known.nonce).find((one) => sameDigest(ctx.tokens.digest(one), known.hash))
  if (!known || !value) return makeToken(ctx, tx, grant)
  logIssued(ctx, tx, known.id, grant, false)
  return { id: known.id, value, scopes: known.scopes, createdAt: known.created_at }
}

type Announcing = Pick<Context, 'announce' | 'invalidations' | 'log'>
/** Revoked tokens of one user, or of an application without a user. */
type Ended = { tokenIds: string[]; userId: string | null }

/** Maximum number of token ids in one log line about revoked tokens. The line also contains the number of all revoked tokens. */
const MAX_IDS = 50

/** Announces revoked tokens. The event ends streams and push subscriptions, and the invalidation removes cached tokens. */
export const announceRevoked = async (ctx: Announcing, tx: Tx, ...ended: readonly Ended[]): Promise<void> => {
  if (ended.length === 0) return
  await ctx.announce(tx, tokenRevoked, ...ended)
  tx.onCommit(() => {
    const all = ended.flatMap((one) => one.tokenIds)
    ctx.invalidations.send(tokenInvalidation, all)
    for (const { tokenIds, userId } of ended)
      ctx.log.info({ tokenIds: tokenIds.slice(0, MAX_IDS), tokens: tokenIds.length, userId }, 'tokens were revoked')
  })
}

/** Revokes a token. Has no effect if the token is revoked already. */
export const endToken = async (
  ctx: Announcing & Pick<Context, 'clock'>,
  tx: Tx,
  token: Pick<TokenRow, 'id' | 'user_id'>,
): Promise<void> => {
  if (await revokeToken(tx, token.id, ctx.clock.date()))
    await announceRevoked(ctx, tx, { tokenIds: [token.id], userId: token.user_id })
}
