/** Changes items of a remote collection. The caller has locked the collection. */

import { checkCollectionJob, collectionRemoved, type RemoteCollectionItem } from '@murmuration/contracts/accounts'
import { olderNames } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import type { Tx } from '@murmuration/db'
import { chunk } from '@murmuration/flow'
import type { Context } from '../context.js'
import { accountsByUris } from '../core/account/store.js'
import { itemsByIds } from './item.store.js'
import { announceGone } from './members.js'
import { type GivenItems, planItems } from './remote.rules.js'
import { changeRemoteItems, deleteItems, insertRemoteItems, storedItems } from './remote.store.js'
import { deleteCollection } from './store.js'

export interface Kept {
  id: string
  account_id: string
}

type Changing = Pick<Context, 'announce' | 'ids' | 'clock' | 'queue' | 'ownHosts'>

/** Deletes items of a remote collection. Local accounts of deleted items get no further events about the collection. */
export const deleteRemoteItems = async (
  ctx: Changing,
  tx: Tx,
  kept: Pick<Kept, 'account_id'>,
  ids: readonly string[],
): Promise<void> => {
  const gone = await itemsByIds(tx, ids)
  await deleteItems(tx, ids)
  await announceGone(
    ctx,
    tx,
    gone.map((item) => ({ ...item, owner: kept.account_id })),
  )
}

/** Deletes a remote collection and announces it. Local members of the collection get a removal event first. */
export const deleteRemoteCollection = async (ctx: Changing, tx: Tx, kept: Kept): Promise<true> => {
  const members = (await storedItems(tx, kept.id)).filter((item) => item.local && item.state === 'accepted')
  await deleteRemoteItems(
    ctx,
    tx,
    kept,
    members.map((item) => item.id),
  )
  await deleteCollection(tx, kept.id)
  await ctx.announce(tx, collectionRemoved, { id: kept.id, owner: kept.account_id })
  return true
}

/** Maximum number of requests to other servers that one job sends. */
const PORTION = 5

const portions = <T>(all: readonly T[]): T[][] => chunk(all, PORTION)

/**
 * Splits lookups of unknown accounts and authorizations into jobs of at most `PORTION` requests. Each job may run twice
 * and does not depend on the others.
 */
const questionsOf = (
  collection: string,
  it: { named: readonly string[]; unresolved: readonly RemoteCollectionItem[]; items: readonly string[] },
) => [
  ...portions(it.named).map((named) => ({ collection, named })),
  ...portions(it.unresolved).map((some) => ({ collection, [olderNames.unknownAccounts]: some })),
  ...portions(it.items).map((items) => ({ collection, items })),
]

/**
 * Stores items of a remote collection. Returns false if nothing changed.
 * @param whole whether `given` is the complete collection, so that absent items are removed
 * @param look whether lookups of unknown accounts and of authorizations are queued
 */
export const storeRemoteItems = async (
  ctx: Changing,
  tx: Tx,
  kept: Kept,
  given: GivenItems,
  { whole, look }: { whole: boolean; look: boolean },
): Promise<boolean> => {
  const stored = await storedItems(tx, kept.id)
  const accounts = await accountsByUris(tx, [...new Set(given.items.map((item) => item.account))])
  const known = new Map(accounts.map((row) => [row.uri, row]))
  const isOurs = (uri: string) => !URL.canParse(uri) || ctx.ownHosts.has(new URL(uri).host)
  const plan = planItems(given, stored, known, { whole, isOurs })
  const room = Math.max(0, limits.accounts.collectionItems - (stored.length - plan.remove.length))
  const add = plan.add.slice(0, room).map((item) => ({ ...item, id: ctx.ids.next() }))
  await deleteRemoteItems(ctx, tx, kept, plan.remove)
  await changeRemoteItems(tx, plan.change)
  await insertRemoteItems(tx, kept.id, add, ctx.clock.date())
  const free = room - add.length
  const waits = [...add, ...plan.change].filter((item) => item.state === 'pending').map((item) => item.id)
  const questions = questionsOf(kept.id, {
    named: plan.named.slice(0, free),
    unresolved: plan.unresolved.slice(0, free),
    items: [...new Set([...waits, ...plan.waiting])],
  })
  if (look) await ctx.queue(tx, checkCollectionJob, ...questions)
  const reads = look ? plan.named.length : 0
  return add.length + plan.change.length + plan.remove.length + reads > 0
}
