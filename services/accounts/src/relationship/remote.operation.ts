/** Handlers that apply activities of remote actors on relationships, and find a relationship by its activity. */

import { applyRemote, blockRemoved, remoteActivityTarget } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import { beginBlock, blockUri, deleteBlock, renameBlock } from '../block/index.js'
import type { Context } from '../context.js'
import { type AccountRow, accountsByIds } from '../core/account/store.js'
import { hasActivityId, type Pair, uriOf } from '../core/follow/store.js'
import { lockPair } from '../core/lock.store.js'
import { acceptRequests, endFollows, endRequests, followFromRemote } from '../follow/index.js'
import { handle } from '../handlers.js'
import { targetByActivity } from './activity.store.js'

/**
 * Outcome of an activity of a remote actor on a relationship. A repeated activity has no effect, except that it may
 * replace the stored activity id.
 */
type Outcome = 'done' | 'pending' | 'refused' | 'unchanged'
type What = 'follow' | 'undo-follow' | 'accept-follow' | 'reject-follow' | 'block' | 'undo-block'
type Step = (ctx: Context, tx: Tx, actor: AccountRow, target: AccountRow, uri: string | null) => Promise<Outcome>

const outcome = (changed: boolean): Outcome => (changed ? 'done' : 'unchanged')

const steps: Record<What, Step> = {
  follow: followFromRemote,
  async 'undo-follow'(ctx, tx, actor, target) {
    const pairs = [{ from: actor.id, to: target.id }]
    const follows = await endFollows(ctx, tx, pairs, () => false)
    const requests = await endRequests(ctx, tx, pairs, () => 'withdrawn')
    return outcome(follows.length + requests.length > 0)
  },
  async 'accept-follow'(ctx, tx, actor, target) {
    return outcome((await acceptRequests(ctx, tx, actor.id, { from: [target.id] })).length > 0)
  },
  async 'reject-follow'(ctx, tx, actor, target) {
    const pairs = [{ from: target.id, to: actor.id }]
    const requests = await endRequests(ctx, tx, pairs, () => 'rejected')
    const follows = await endFollows(ctx, tx, pairs, () => true)
    return outcome(follows.length + requests.length > 0)
  },
  async block(ctx, tx, actor, target, uri) {
    const begun = await beginBlock(ctx, tx, actor, target, uri)
    if (!begun && uri !== null) await renameBlock(tx, { from: actor.id, to: target.id }, uri)
    return outcome(begun)
  },
  async 'undo-block'(ctx, tx, actor, target) {
    const gone = await deleteBlock(tx, { from: actor.id, to: target.id })
    if (gone) await ctx.announce(tx, blockRemoved, gone)
    return outcome(gone !== null)
  },
}

/**
 * Reads the stored activity id of the relationship between actor and target to which an activity refers.
 *
 * | Activity | Relationship |
 * |---|---|
 * | `follow`, `block` | the block, else the follow or request |
 * | `undo-follow` | the follow or request |
 * | `undo-block` | the block |
 */
const storedIdOf: Partial<Record<What, (tx: Tx, pair: Pair) => Promise<string | null>>> = {
  follow: async (tx, pair) => (await blockUri(tx, pair)) ?? (await uriOf(tx, pair)),
  'undo-follow': uriOf,
  block: async (tx, pair) => (await blockUri(tx, pair)) ?? (await uriOf(tx, pair)),
  'undo-block': blockUri,
}

/** Returns the stored activity id of the relationship. Returns null if no id is stored, or if the stored id is among `named`. */
const otherOf = async (tx: Tx, what: What, pair: Pair, named: readonly (string | null | undefined)[]) => {
  const there = (await storedIdOf[what]?.(tx, pair)) ?? null
  return named.includes(there) ? null : there
}

export const applyRemoteRelation = handle(applyRemote, async (ctx, _viewer, { what, actor, target, uri, ...how }) => {
  const { request, exact, instead } = how
  return ctx.db.tx(async (tx) => {
    await lockPair(tx, actor, target)
    const rows = await accountsByIds(tx, [actor, target])
    const from = rows.find((row) => row.id === actor)
    const to = rows.find((row) => row.id === target)
    // The actor of the activity must be a remote account, and its target a local account.
    if (!from || !to || from.domain === null || to.domain !== null) return { outcome: 'refused' as const }
    if (request !== undefined && !(await hasActivityId(tx, { from: to.id, to: from.id }, request)))
      return { outcome: 'unchanged' as const }
    const other = exact ? await otherOf(tx, what, { from: actor, to: target }, [uri, instead]) : null
    if (other !== null) return { outcome: 'other' as const, other }
    return { outcome: await steps[what](ctx, tx, from, to, uri) }
  })
})

/** Returns the relationship that an activity of a remote actor created, so that an Undo with only its id can be applied. */
export const getActivityTarget = handle(remoteActivityTarget, async (ctx, _viewer, { actor, uri }) => ({
  [olderNames.activityTarget]: await targetByActivity(ctx.db, actor, uri),
}))
