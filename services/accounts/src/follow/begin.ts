/**
 * Begins and ends follows and follow requests in the transaction of the caller: rows, counters, list memberships,
 * endorsements and events.
 */
import {
  followCreated,
  followRemoved,
  followRequested,
  followRequestRemoved,
  listChanged,
} from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import type { AccountRow } from '../core/account/store.js'
import {
  type Choices,
  deleteListsAndEndorsements,
  deleteRelations,
  insertRelation,
  listsOfPairs,
  type NewFollow,
  type Pair,
  promoteRequests,
  type RelationEnd,
} from '../core/follow/store.js'
import { type Counters, countFollows } from '../counter/index.js'

/** Maximum number of follow requests that one transaction accepts. */
export const ACCEPT_PAGE = 500

type Changing = Pick<Context, 'announce' | 'invalidations' | 'ids' | 'clock'>

/** Row of a new follow or request. `uri`: activity id of a remote follower; for a local one it is created here. */
const rowOf = (ctx: Changing, from: AccountRow, to: AccountRow, choices: Choices, uri: string | null): NewFollow => {
  const id = ctx.ids.next()
  const local = from.domain === null
  return {
    id,
    from: from.id,
    to: to.id,
    fromLocal: local,
    inbox: local ? null : (from.shared_inbox_url ?? from.inbox_url),
    uri: uri ?? (local ? `${from.uri}#follows/${id}` : null),
    at: ctx.clock.date(),
    ...choices,
  }
}

const eventOf = (row: NewFollow, to: AccountRow): RelationEnd => ({
  id: row.id,
  from: row.from,
  to: row.to,
  fromLocal: row.fromLocal,
  toLocal: to.domain === null,
  uri: row.uri,
})

/** Begins a follow. Returns the new counters of both accounts by id; null if the follow exists. */
export const beginFollow = async (
  ctx: Changing,
  tx: Tx,
  from: AccountRow,
  to: AccountRow,
  choices: Choices,
  uri: string | null = null,
): Promise<Map<string, Counters> | null> => {
  const row = rowOf(ctx, from, to, choices, uri)
  if (!(await insertRelation(tx, 'follows', row))) return null
  const counters = await countFollows(ctx, tx, [row], 1)
  await ctx.announce(tx, followCreated, { ...eventOf(row, to), accepted: false })
  return counters
}

/** Stores and announces a follow request; false if it exists. */
export const requestFollow = async (
  ctx: Changing,
  tx: Tx,
  from: AccountRow,
  to: AccountRow,
  choices: Choices,
  uri: string | null = null,
): Promise<boolean> => {
  const row = rowOf(ctx, from, to, choices, uri)
  if (!(await insertRelation(tx, 'follow_requests', row))) return false
  await ctx.announce(tx, followRequested, eventOf(row, to))
  return true
}

const announceLists = (ctx: Changing, tx: Tx, changed: readonly { list_id: string; owner_id: string }[]) =>
  ctx.announce(tx, listChanged, ...changed.map((one) => ({ id: one.list_id, owner: one.owner_id })))

/**
 * Ends the follows of `pairs`, with list memberships and endorsements. `byTarget`: whether the followed account ended
 * the follow.
 */
export const endFollows = async (
  ctx: Changing,
  tx: Tx,
  pairs: readonly Pair[],
  byTarget: (pair: Pair) => boolean,
): Promise<RelationEnd[]> => {
  const gone = await deleteRelations(tx, 'follows', pairs)
  if (gone.length === 0) return gone
  await countFollows(ctx, tx, gone, -1)
  await ctx.announce(tx, followRemoved, ...gone.map((one) => ({ ...one, byTarget: byTarget(one) })))
  await announceLists(ctx, tx, await deleteListsAndEndorsements(tx, gone))
  return gone
}

/**
 * Ends the follow requests of `pairs`, with list memberships. `why`: whether the target rejected or the sender
 * cancelled it.
 */
export const endRequests = async (
  ctx: Changing,
  tx: Tx,
  pairs: readonly Pair[],
  why: (pair: Pair) => 'rejected' | 'withdrawn',
): Promise<RelationEnd[]> => {
  const gone = await deleteRelations(tx, 'follow_requests', pairs)
  if (gone.length === 0) return gone
  await ctx.announce(tx, followRequestRemoved, ...gone.map((one) => ({ ...one, why: why(one) })))
  await announceLists(ctx, tx, await deleteListsAndEndorsements(tx, gone))
  return gone
}

/**
 * Accepts follow requests to `target`: the requests of the accounts in `from`, or the `oldest` number of requests. With `oldest`,
 * requests of limited and suspended accounts are skipped.
 */
export const acceptRequests = async (
  ctx: Changing,
  tx: Tx,
  target: string,
  who: { from: readonly string[] } | { oldest: number },
): Promise<RelationEnd[]> => {
  const accepted = await promoteRequests(tx, target, who)
  if (accepted.length === 0) return accepted
  await countFollows(ctx, tx, accepted, 1)
  await ctx.announce(tx, followRequestRemoved, ...accepted.map((one) => ({ ...one, why: 'accepted' as const })))
  await ctx.announce(tx, followCreated, ...accepted.map((one) => ({ ...one, accepted: true })))
  // A list can contain an account while the follow of that account is only requested. The list shows the account's
  // statuses from the acceptance on.
  await announceLists(ctx, tx, await listsOfPairs(tx, accepted))
  return accepted
}
