/** Staff changes how accounts stand: rows, ended relations, events, and caches that must forget, in one transaction. */
import { accountChanged, accountHint, tokenHint } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { stampOfRule } from '../domain/remote-account.js'
import { livingTokenIds } from '../store/access-token.js'
import { accountById, accountsByIds } from '../store/account.js'
import { type Pair, relationsOfAccounts } from '../store/follow.js'
import { impose, lift, type Scope, setDisabled, setSensitized } from '../store/moderation.js'
import { personByAccountId } from '../store/user.js'
import { acctOf } from '../views/account.js'
import { flagsOf } from '../views/account-record.js'
import { endFollows, endRequests } from './follow.js'
import { noteSevered } from './severance.js'
import { closeStreams } from './stream.js'

export type ModerationAction =
  | 'suspend'
  | 'unsuspend'
  | 'silence'
  | 'unsilence'
  | 'disable'
  | 'enable'
  | 'sensitive'
  | 'unsensitive'

/** Accounts of a domain that one transaction changes. */
export const DOMAIN_PAGE = 500
/** Most relations of a page of accounts that end with a domain; people here have far fewer with it. */
const MOST_RELATIONS = 50_000

type Moderating = Pick<Context, 'announce' | 'hints' | 'ids' | 'clock' | 'nc'>

const change = (ctx: Moderating, tx: Tx, scope: Scope, action: ModerationAction, stamp: string): Promise<string[]> => {
  const at = ctx.clock.date()
  const limit = 'id' in scope ? 1 : DOMAIN_PAGE
  // Accounts that were limited on arrival carry the rule's stamp instead of the block's.
  const stamps = 'domain' in scope ? [stamp, stampOfRule({ domain: scope.domain, severity: 'silence' })] : []
  if (action === 'suspend') return impose(tx, 'suspended', scope, { stamp, at, limit })
  if (action === 'silence') return impose(tx, 'silenced', scope, { stamp, at, limit })
  if (action === 'unsuspend') return lift(tx, 'suspended', scope, { stamps, limit })
  if (action === 'unsilence') return lift(tx, 'silenced', scope, { stamps, limit })
  if ('domain' in scope) return Promise.resolve([])
  if (action === 'sensitive') return setSensitized(tx, scope.id, at)
  if (action === 'unsensitive') return setSensitized(tx, scope.id, null)
  return setDisabled(tx, scope.id, action === 'disable')
}

/** A suspended domain has no relations with anybody here (federation/moderation.md 1). */
const endRelations = async (
  ctx: Moderating,
  tx: Tx,
  ids: readonly string[],
  domain: string,
  stamp: string,
): Promise<void> => {
  const theirs = new Set(ids)
  const follows = await relationsOfAccounts(tx, 'follows', ids, MOST_RELATIONS)
  await noteSevered(ctx, tx, { kind: 'domain_block', target: domain, cause: `${domain} ${stamp}` }, follows)
  // What they ended towards us and what we end towards them: each side hears the one that is its own.
  await endFollows(ctx, tx, follows, (pair) => theirs.has(pair.from))
  const requests = await relationsOfAccounts(tx, 'follow_requests', ids, MOST_RELATIONS)
  await endRequests(ctx, tx, requests, (pair) => (theirs.has(pair.from) ? 'rejected' : 'withdrawn'))
}

/** A suspended account elsewhere follows nobody here any more: its server would go on getting what they write. */
const endFollowsHere = async (ctx: Moderating, tx: Tx, id: string): Promise<void> => {
  const account = await accountById(tx, id)
  if (!account || account.domain === null) return
  const theirs = (pairs: readonly Pair[]) => pairs.filter((pair) => pair.from === id)
  const follows = theirs(await relationsOfAccounts(tx, 'follows', [id], MOST_RELATIONS))
  const decision = {
    kind: 'account_suspension' as const,
    target: acctOf(account),
    cause: `suspension ${ctx.ids.next()}`,
  }
  await noteSevered(ctx, tx, decision, follows)
  await endFollows(ctx, tx, follows, () => true)
  await endRequests(
    ctx,
    tx,
    theirs(await relationsOfAccounts(tx, 'follow_requests', [id], MOST_RELATIONS)),
    () => 'rejected',
  )
}

/** Tokens are asked about again, and open streams close, when a login stops counting. */
const closeLogin = async (ctx: Moderating, tx: Tx, accountId: string): Promise<void> => {
  const person = await personByAccountId(tx, accountId)
  if (!person) return
  const tokens = await livingTokenIds(tx, person.user_id)
  tx.onCommit(() => {
    ctx.hints.send(tokenHint, tokens)
    closeStreams(ctx, accountId)
  })
}

/** Gives the ids of the accounts that changed; a full page of a domain means there may be more. */
export const moderate = async (
  ctx: Moderating,
  tx: Tx,
  scope: Scope,
  action: ModerationAction,
  stamp: string,
): Promise<string[]> => {
  const ids = await change(ctx, tx, scope, action, stamp)
  if (ids.length === 0) return ids
  if (action === 'suspend' && 'domain' in scope) await endRelations(ctx, tx, ids, scope.domain, stamp)
  if (action === 'suspend' && 'id' in scope) await endFollowsHere(ctx, tx, scope.id)
  if ('id' in scope && ['suspend', 'unsuspend', 'disable', 'enable'].includes(action))
    await closeLogin(ctx, tx, scope.id)
  const rows = await accountsByIds(tx, ids)
  const profile = action === 'suspend' || action === 'unsuspend'
  await ctx.announce(
    tx,
    accountChanged,
    ...rows.map((row) => ({ id: row.id, flags: flagsOf(row), profile: profile && row.domain === null })),
  )
  tx.onCommit(() => ctx.hints.send(accountHint, ids))
  return ids
}
