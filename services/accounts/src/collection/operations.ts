/** Handlers of collections of accounts for the API. */

import type { CollectionResult } from '@murmuration/contracts'
import {
  collectionChanged,
  collectionCreated,
  collectionRemoved,
  collectionsOfAccount,
  collectionsWithAccount,
  createCollection,
  refreshCollectionJob,
  removeCollection,
  showCollection,
  updateCollection as updateCollectionOperation,
} from '@murmuration/contracts/accounts'
import { fail, type Json, notFound, reply, toJson } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { type Reader, storedResult, storeResult } from '@murmuration/db'
import type { Context } from '../context.js'
import { accountValues } from '../core/account/cards.js'
import { otherAccount } from '../core/account/visible-account.js'
import { lockAccount, lockName } from '../core/lock.store.js'
import { relationshipsOfViewer } from '../core/relationship/store.js'
import { handle } from '../handlers.js'
import { itemsOf, localMembers } from './item.store.js'
import { addToCollection, announceGone } from './members.js'
import { ownCollection, visibleCollection } from './own.js'
import { collectionOf, collectionsOf, visibleItems, withUsableTags } from './present.js'
import { REFETCH_AFTER_MS } from './remote.rules.js'
import { markCollectionRead } from './remote.store.js'
import { collectionText, isOpen, tooManyCollections, tooManyItems, unusableTag } from './rules.js'
import { slicedCollections } from './slice.js'
import {
  type CollectionRow,
  collectionById,
  collectionsContaining,
  collectionsKeptBy,
  countOwnedCollections,
  deleteCollection,
  insertCollection,
  updateCollection,
} from './store.js'
import { isUnusable } from './tag.store.js'

/** Returns the collections that an account owns. Collections that are not discoverable are listed only for their owner. */
export const listCollections = handle(collectionsOfAccount, async (ctx, viewer, { id, ...slice }) => {
  const account = await otherAccount(ctx, id)
  const own = viewer?.id === id
  const [relationship] = viewer && !own ? await relationshipsOfViewer(ctx.db, viewer.id, [id], ctx.clock.date()) : []
  // The collections of a suspended owner are hidden. An owner's collections are also hidden from viewers whom the owner
  // blocks.
  if (account.suspended || relationship?.blocked_by) return { collections: [] }
  return slicedCollections(ctx, viewer?.id ?? null, slice, (more) => collectionsKeptBy(ctx.db, id, own, more))
})

/** Queues a new fetch of a remote collection that was read more than a day ago. The response shows the stored state. */
const readAgain = async (ctx: Context, row: CollectionRow): Promise<void> => {
  const now = ctx.clock.date()
  const since = new Date(now.getTime() - REFETCH_AFTER_MS)
  if (row.local || (row.read_at !== null && row.read_at > since)) return
  if (!(await markCollectionRead(ctx.db, row.id, now, since))) return
  await ctx.queues
    .push(refreshCollectionJob, { id: `${row.id} ${now.getTime()}`, data: { collection: row.id } })
    .catch((error) => ctx.log.warn({ error }, 'a collection was not queued for reading'))
}

export const show = handle(showCollection, async (ctx, viewer, { id }) => {
  const row = await visibleCollection(ctx.db, viewer?.id ?? null, id, ctx.clock.date())
  await readAgain(ctx, row)
  const [found, [shown = row]] = await Promise.all([
    visibleItems(ctx, [row], viewer?.id ?? null),
    withUsableTags(ctx, [row]),
  ])
  const items = found.get(row.id) ?? []
  const named = [row.account_id, ...items.filter((item) => isOpen(item.state)).map((item) => item.account_id)]
  const accounts = await accountValues(ctx, named)
  return {
    collection: collectionOf(shown, items, ctx.site),
    accounts: [...new Set(named)].flatMap((one) => accounts.get(one) ?? []),
  }
})

/** Throws if staff made the hashtag of a collection unusable. */
const refuseUnusable = async (db: Reader, tag: string | null): Promise<void> => {
  if (tag !== null && (await isUnusable(db, tag))) throw unusableTag()
}

/** Creates a collection of the viewer with its first accounts. If one of these accounts may not be added, no collection is created. */
export const create = handle(createCollection, async (ctx, viewer, input, request) => {
  const key = request.idempotencyKey && `collection ${viewer.id} ${request.idempotencyKey}`
  const text = collectionText(input, null)
  if (input.account_ids.length > limits.accounts.collectionItems) throw tooManyItems()
  const id = ctx.ids.next()
  return ctx.db.tx(async (tx) => {
    // The lock prevents that a block by or of the owner is stored after the check and before the items are stored.
    await lockAccount(tx, viewer.id)
    await lockName(tx, `collections ${viewer.id}`)
    const earlier = key ? await storedResult(tx, key) : null
    if (earlier !== null) return earlier as Json<CollectionResult>
    await refuseUnusable(tx, text.tag)
    const room = await countOwnedCollections(tx, viewer.id)
    if (!room) throw notFound()
    if (room.kept >= room.max) throw tooManyCollections(room.max)
    await insertCollection(
      tx,
      { id, account_id: viewer.id, ...text, sensitive: input.sensitive, discoverable: input.discoverable },
      ctx.clock.date(),
    )
    await ctx.announce(tx, collectionCreated, { id, owner: viewer.id, discoverable: input.discoverable })
    const items = await addToCollection(ctx, tx, { id, owner: viewer.id }, input.account_ids)
    const row = await collectionById(tx, id)
    if (!row) throw new Error('a stored collection is gone')
    const result = toJson<CollectionResult>({ collection: collectionOf(row, items, ctx.site) })
    if (key) await storeResult(tx, key, result)
    return result
  })
})

/** Changes texts and settings of a collection of the viewer. Local members get an event if anything changed. */
export const changeCollection = handle(updateCollectionOperation, async (ctx, viewer, input) => {
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${input.id}`)
    const before = await ownCollection(tx, viewer, input.id)
    const text = collectionText(input, before)
    await refuseUnusable(tx, text.tag)
    const after = {
      ...text,
      sensitive: input.sensitive ?? before.sensitive,
      discoverable: input.discoverable ?? before.discoverable,
    }
    if (Object.entries(after).every(([name, value]) => before[name as keyof typeof after] === value)) return
    await updateCollection(tx, before.id, after, ctx.clock.date())
    await ctx.announce(tx, collectionChanged, {
      id: before.id,
      owner: viewer.id,
      accounts: await localMembers(tx, before.id),
      discoverable: { before: before.discoverable, after: after.discoverable },
    })
  })
  const row = await ownCollection(ctx.db, viewer, input.id)
  const [collection] = await collectionsOf(ctx, [row], viewer.id)
  if (!collection) throw new Error('a stored collection is gone')
  return { collection }
})

/** Deletes a collection of the viewer. */
export const remove = handle(removeCollection, async (ctx, viewer, { id }) => {
  await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${id}`)
    const { discoverable } = await ownCollection(tx, viewer, id)
    const items = (await itemsOf(tx, [id], viewer.id)).filter((item) => isOpen(item.state))
    await deleteCollection(tx, id)
    await announceGone(
      ctx,
      tx,
      items.map((item) => ({ ...item, owner: viewer.id })),
    )
    await ctx.announce(tx, collectionRemoved, { id, owner: viewer.id, discoverable })
  })
  return reply('')
})

/** Returns the collections of other accounts that contain the viewer, or have requested the viewer. */
export const listCollectionsContaining = handle(collectionsWithAccount, async (ctx, viewer, { id, ...slice }) => {
  await otherAccount(ctx, id)
  if (id !== viewer.id) throw fail('forbidden', 'This action is not allowed')
  return slicedCollections(ctx, viewer.id, slice, (more) => collectionsContaining(ctx.db, id, more))
})
