/** Handlers by which staff lists, adds, enables, disables and removes relays. */

import { hostOf, readUri, type Uri } from '@murmuration/activitypub/vocabulary/uri'
import {
  addRelay,
  disableRelay,
  enableRelay,
  fetchActor,
  listRelays,
  type Relay,
  removeRelay,
  restoreRelay,
} from '@murmuration/contracts/federation'
import { fail, invalidField, isId, notFound } from '@murmuration/contracts/kit'
import { restorationOf, stateIn } from '@murmuration/kernel'
import { readTime } from '@murmuration/text'
import { z } from 'zod'
import type { Context } from '../context.js'
import { followPrefix } from '../core/address/self.js'
import { hostAccess, notReady } from '../core/host/hosts.js'
import { styleOf } from '../core/relay/rules.js'
import {
  allRelays,
  deleteRelay,
  hasRelayLike,
  insertRelay,
  type RelayRow,
  relayById,
  relayByUrl,
  updateRelay,
} from '../core/relay/store.js'
import { handle } from '../handlers.js'
import { announceRelay, recordedOf } from './audit.js'
import { type FurtherWrites, sendFollow, sendUndoOfFollow } from './follow.js'
import { relayOf } from './view.js'

/**
 * Inbox and actor of a relay. Fetches the actor if `url` is not an inbox. Throws `unavailable` if the relay does not
 * respond, and `unprocessable` if `url` is neither an inbox nor an actor.
 */
const addressesOf = async (ctx: Context, url: Uri): Promise<{ inbox_url: string; actor_uri: string | null }> => {
  if (styleOf(url) === 'inbox') return { inbox_url: url, actor_uri: null }
  const { outcome, actor } = await ctx.call(fetchActor, { uri: url })
  if (outcome === 'later') throw fail('unavailable', 'The relay does not respond, try again later', { retryAfter: 30 })
  if (actor === null || actor.uri !== url) throw invalidField('Inbox URL is neither an inbox nor an actor')
  return { inbox_url: actor.inbox_url, actor_uri: actor.uri }
}

/** Adds a relay by its inbox or its actor, and publishes the Follow. */
export const add = handle(addRelay, async (ctx, viewer, { url }) => {
  const uri = readUri(url.trim())
  const host = uri && hostOf(uri)
  if (uri === null || host === null || ctx.self.ownHosts.has(host)) throw invalidField('Inbox URL is not valid')
  const access = hostAccess(ctx, host)
  if (access === 'unknown') throw notReady()
  if (access === 'blocked') throw invalidField('Inbox URL is on a server that is blocked')
  const addresses = await addressesOf(ctx, uri)
  const relay: RelayRow = {
    id: ctx.ids.next(),
    url: uri,
    style: styleOf(uri),
    ...addresses,
    state: 'pending',
    follow_uri: null,
    created_at: ctx.clock.date(),
  }
  return followRelay(ctx, relay, async (tx) => {
    if (!(await insertRelay(tx, { ...relay, at: relay.created_at })))
      throw fail('conflict', 'The relay is there already')
    await announceRelay(ctx, tx, viewer, 'create', { before: null, after: relay })
  })
})

const noFurtherWrites: FurtherWrites = async () => undefined

/**
 * Publishes a new Follow to a relay, in one transaction with the state of the relay and the writes of `inTransaction`. The id of the Follow
 * is new, so that an Accept or Reject of an older Follow changes nothing.
 */
export const followRelay = async (
  ctx: Context,
  relay: RelayRow,
  inTransaction: FurtherWrites = noFurtherWrites,
): Promise<Relay> => {
  const followUri = `${followPrefix(ctx)}${relay.id}/${ctx.ids.next()}`
  await sendFollow(ctx, relay, followUri, async (tx) => {
    await inTransaction(tx)
    await updateRelay(tx, relay.id, { state: 'pending', followUri })
  })
  return relayOf({ ...relay, state: 'pending' })
}

export const enable = handle(enableRelay, async (ctx, viewer, { url }) => {
  const relay = await relayByUrl(ctx.db, url)
  if (relay === null) throw notFound()
  if (relay.state === 'accepted') return relayOf(relay)
  const change = { before: relay, after: { ...relay, state: 'pending' as const } }
  return followRelay(ctx, relay, (tx) => announceRelay(ctx, tx, viewer, 'enable', change))
})

/**
 * Disables a relay: statuses are neither sent to it nor accepted from it. The Undo of the Follow is published in the same
 * transaction, with the writes of `inTransaction`.
 */
export const unfollowRelay = async (
  ctx: Context,
  relay: RelayRow,
  inTransaction: FurtherWrites = noFurtherWrites,
): Promise<void> => {
  const change: FurtherWrites = async (tx) => {
    await updateRelay(tx, relay.id, { state: 'idle', followUri: null })
    await inTransaction(tx)
  }
  await (relay.follow_uri === null ? ctx.db.tx(change) : sendUndoOfFollow(ctx, relay, relay.follow_uri, change))
}

export const disable = handle(disableRelay, async (ctx, viewer, { url }) => {
  const relay = await relayByUrl(ctx.db, url)
  if (relay === null) throw notFound()
  const change = { before: relay, after: { ...relay, state: 'idle' as const } }
  await unfollowRelay(ctx, relay, (tx) => announceRelay(ctx, tx, viewer, 'disable', change))
  return relayOf({ ...relay, state: 'idle' })
})

/** Disables a relay and deletes its row. */
export const remove = handle(removeRelay, async (ctx, viewer, { url }) => {
  const relay = await relayByUrl(ctx.db, url)
  if (relay === null) throw notFound()
  await unfollowRelay(ctx, relay, async (tx) => {
    await deleteRelay(tx, relay.id)
    await announceRelay(ctx, tx, viewer, 'destroy', { before: relay, after: null })
  })
  return relayOf({ ...relay, state: 'idle' })
})

export const list = handle(listRelays, async (ctx) => ({ relays: (await allRelays(ctx.db)).map(relayOf) }))

const Recorded = z.object({
  url: z.string(),
  style: z.enum(['inbox', 'actor']),
  inbox_url: z.string(),
  actor_uri: z.string().nullable(),
  enabled: z.boolean(),
  created_at: z.string().transform((text) => new Date(readTime(text))),
})
type Recorded = z.output<typeof Recorded>

/** Stores a removed relay again. Returns null if another relay has its address, inbox or actor. */
const addAgain = async (ctx: Context, id: string, to: Recorded): Promise<RelayRow | null> => {
  await ctx.db.tx((tx) => insertRelay(tx, { id, ...to, at: to.created_at }))
  const stored = await relayByUrl(ctx.db, to.url)
  return stored?.id === id ? stored : null
}

/**
 * Finishes an earlier `restore` that stopped after it had stored the removed relay: sends the Follow if the relay was
 * enabled.
 */
const finish = async (ctx: Context, row: RelayRow, before: unknown, dry: boolean) => {
  const recorded = Recorded.safeParse(before)
  if (!dry && recorded.data?.enabled && !recordedOf(row).enabled) await followRelay(ctx, row)
  return { outcome: 'already' as const }
}

/** Reverts an action of staff on a relay, from the audit log. A relay that becomes enabled gets a new Follow, which it may reject. */
export const restore = handle(restoreRelay, async (ctx, _viewer, { targetId, before, after, dry }) => {
  const id = targetId !== null && isId(targetId) ? targetId : '0'
  const row = await relayById(ctx.db, id)
  if (row !== null && (after === null || after === undefined)) return finish(ctx, row, before, dry)
  const current = stateIn(Recorded, row && recordedOf(row))
  // `actor_uri` is ignored in the comparison, because the Accept of the relay sets it.
  const restoration = restorationOf(Recorded, { before, after }, current, ['actor_uri'])
  if (typeof restoration === 'string') return { outcome: restoration }
  const { to } = restoration
  if (row === null && to && (await hasRelayLike(ctx.db, to))) return { outcome: 'is_taken' as const }
  if (dry) return { outcome: 'restored' as const }
  if (to === null) {
    if (row) await unfollowRelay(ctx, row, (tx) => deleteRelay(tx, id))
    return { outcome: 'restored' as const }
  }
  const stored = row ?? (await addAgain(ctx, id, to))
  if (stored === null) return { outcome: 'is_taken' as const }
  if (to.enabled !== recordedOf(stored).enabled)
    await (to.enabled ? followRelay(ctx, stored) : unfollowRelay(ctx, stored))
  return { outcome: 'restored' as const }
})
