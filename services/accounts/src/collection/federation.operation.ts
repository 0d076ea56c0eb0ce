/** Handlers that read collections for other services and store remote ones. */
import {
  changeRemoteCollection,
  collectionCards,
  collectionRecords,
  collectionSources,
  type FeaturedCollectionSource,
  putRemoteCollection,
  resolveCollection,
} from '@murmuration/contracts/accounts'
import { fetchFeaturedCollection } from '@murmuration/contracts/federation'
import { toJson } from '@murmuration/contracts/kit'
import type { Tx } from '@murmuration/db'
import type { Site } from '@murmuration/kernel'
import { hashtagsIn } from '@murmuration/text'
import { canonicalAddress, lookUpAddress } from '@murmuration/text/own-address'
import type { Context } from '../context.js'
import { type AccountRow, accountById, accountsByIds } from '../core/account/store.js'
import { lockName } from '../core/lock.store.js'
import { relationshipsOfViewer } from '../core/relationship/store.js'
import { handle } from '../handlers.js'
import { resolveAccount } from '../remote-account/index.js'
import { type CollectionItemRow, itemsOf, itemsOfMember } from './item.store.js'
import { collectionsOf, pageOf, tagOf } from './present.js'
import { putCollection } from './put.js'
import { REFETCH_AFTER_CHANGE_MS, REFETCH_AFTER_MS } from './remote.rules.js'
import { expireFetch, remoteCollection, storedItems } from './remote.store.js'
import { deleteRemoteCollection, deleteRemoteItems, storeRemoteItems } from './remote-items.js'
import { authorizationAddress, collectionAddress, numberInAddress } from './rules.js'
import { type CollectionRow, collectionsByIds, collectionsByUris, collectionsKeptBy } from './store.js'

/** Returns collection JSON by id for one viewer. Notifications and statuses that link to collections contain this JSON. */
export const getCollectionCards = handle(collectionCards, async (ctx, _viewer, { viewer, ids }) => {
  const rows = (await collectionsByIds(ctx.db, ids)).filter((row) => !row.owner_suspended)
  const owners = [...new Set(rows.map((row) => row.account_id))]
  const relationships = viewer === null ? [] : await relationshipsOfViewer(ctx.db, viewer, owners, ctx.clock.date())
  const turnedAway = new Set(relationships.filter((one) => one.blocked_by).map((one) => one.id))
  const shown = await collectionsOf(
    ctx,
    rows.filter((row) => !turnedAway.has(row.account_id)),
    viewer,
  )
  return new Map(shown.map((one) => [one.id, toJson(one)]))
})

/**
 * Returns id, address and owner of the collections with the given ids or addresses. For a local collection, the address
 * of its page is accepted, too.
 */
export const getCollectionRecords = handle(
  collectionRecords,
  async (ctx, _viewer, { ids = [], uris: given = [], member }) => {
    const uris = given.map((uri) => canonicalAddress(ctx, uri))
    const numbers = uris.map(numberInAddress).filter((id) => id !== null)
    const [byNumber, byUri] = await Promise.all([
      collectionsByIds(ctx.db, [...new Set([...ids, ...numbers])]),
      collectionsByUris(ctx.db, uris),
    ])
    const rows = new Map([...byNumber, ...byUri].map((row) => [row.id, row]))
    const items =
      member === undefined ? new Map<string, string>() : await itemsOfMember(ctx.db, [...rows.keys()], member)
    const uriOf = (row: CollectionRow): string => row.uri ?? collectionAddress(row.owner_uri, row.id)
    const isNamed = (row: CollectionRow): boolean =>
      ids.includes(row.id) || uris.includes(uriOf(row)) || (row.uri === null && uris.includes(pageOf(row.id, ctx.site)))
    const records = [...rows.values()].filter(isNamed).map((row) => ({
      id: row.id,
      uri: uriOf(row),
      owner: row.account_id,
      item: items.get(row.id),
    }))
    return { records }
  },
)

/** Maximum number of collections of one owner in a response. */
const MAX_COLLECTIONS = 50

const itemSource = (
  item: CollectionItemRow,
  account: AccountRow | undefined,
): FeaturedCollectionSource['items'][number][] => {
  if (!account || item.state !== 'accepted') return []
  const authorization = account.domain === null ? authorizationAddress(account.uri, item.id) : item.authorization_uri
  if (authorization === null) return []
  const kind = account.type === 'Service' || account.type === 'Group' ? account.type : 'Person'
  return [
    {
      id: item.id,
      account: account.id,
      accountUri: account.uri,
      kind,
      authorization,
      created_at: item.created_at.toISOString(),
    },
  ]
}

const sourceOf = (
  row: CollectionRow,
  items: readonly CollectionItemRow[],
  accounts: ReadonlyMap<string, AccountRow>,
  site: Site,
): FeaturedCollectionSource => ({
  id: row.id,
  owner: row.account_id,
  ownerUri: row.owner_uri,
  uri: collectionAddress(row.owner_uri, row.id),
  url: pageOf(row.id, site),
  name: row.name,
  description: row.description,
  language: row.language,
  sensitive: row.sensitive,
  discoverable: row.discoverable,
  tag: tagOf(row.tag, site),
  tags: hashtagsIn(row.description).flatMap(({ name }) => tagOf(name, site) ?? []),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  items: items.flatMap((item) => itemSource(item, accounts.get(item.account_id))),
})

export const getCollectionSources = handle(collectionSources, async (ctx, _viewer, { ids = [], keptBy, viewer }) => {
  const found = await Promise.all([
    collectionsByIds(ctx.db, ids),
    keptBy === undefined ? [] : collectionsKeptBy(ctx.db, keptBy, false, { limit: MAX_COLLECTIONS, offset: 0 }),
  ])
  const rows = found.flat().filter((row) => row.local && !row.owner_suspended)
  const items = await itemsOf(
    ctx.db,
    rows.map((row) => row.id),
    viewer,
  )
  const members = await accountsByIds(ctx.db, [...new Set(items.map((item) => item.account_id))])
  const accounts = new Map(members.map((one) => [one.id, one]))
  const byCollection = Map.groupBy(items, (item) => item.collection_id)
  return { collections: rows.map((row) => sourceOf(row, byCollection.get(row.id) ?? [], accounts, ctx.site)) }
})

/**
 * Returns the id of a remote collection by its address. A collection that is not stored is fetched with its owner.
 * Returns null if the collection cannot be fetched.
 */
export const resolve = handle(resolveCollection, async (ctx, _viewer, { url: given }) => {
  const url = lookUpAddress(ctx, given)
  const known = await remoteCollection(ctx.db, url)
  if (known) return { id: known.id }
  const { collection } = await ctx.call(fetchFeaturedCollection, { uri: url, page: true })
  if (collection === null) return { id: null }
  const owner = await resolveAccount(ctx, { uri: collection.ownerUri })
  const { id } = await putCollection(ctx, owner, collection, { make: true, look: true })
  return { id }
})

/** Stores a collection as its remote owner sent it. */
export const putRemote = handle(putRemoteCollection, async (ctx, _viewer, { actor, collection, ...how }) => {
  const { outcome } = await putCollection(ctx, await accountById(ctx.db, actor), collection, how)
  return { outcome }
})

type Known = { id: string; account_id: string }

/**
 * Removes the item with the address `uri` from a remote collection. An item that a local account left is kept, so that
 * the account is not added again.
 */
const removeRemoteItem = async (ctx: Context, tx: Tx, known: Known, uri: string): Promise<boolean> => {
  const out = (await storedItems(tx, known.id)).filter(
    (item) => item.uri === uri && (!item.local || item.state === 'accepted'),
  )
  await deleteRemoteItems(
    ctx,
    tx,
    known,
    out.map((item) => item.id),
  )
  return out.length > 0
}

/**
 * Applies a change that the owner of a stored remote collection announced: an item added or removed, or a deletion.
 * `soon`: the rate limit skipped a change, so the collection is only marked to be fetched again earlier.
 */
export const changeRemote = handle(changeRemoteCollection, async (ctx, _viewer, { actor, uri, ...what }) => {
  const { add, addNamed, remove, gone, soon } = what
  const unknown = { outcome: 'unknown' as const }
  const found = await remoteCollection(ctx.db, uri)
  if (found?.account_id !== actor) return unknown
  if (soon) {
    const at = new Date(ctx.clock.now() - REFETCH_AFTER_MS + REFETCH_AFTER_CHANGE_MS)
    return { outcome: (await expireFetch(ctx.db, found.id, at)) ? 'done' : 'unchanged' }
  }
  const changed = await ctx.db.tx(async (tx) => {
    await lockName(tx, `collection ${found.id}`)
    if (!(await remoteCollection(tx, uri))) return null
    if (gone) return deleteRemoteCollection(ctx, tx, found)
    const out = remove === undefined ? false : await removeRemoteItem(ctx, tx, found, remove)
    const given = { items: add ? [add] : [], named: addNamed ? [addNamed] : [] }
    const into = await storeRemoteItems(ctx, tx, found, given, { whole: false, look: true })
    return out || into
  })
  return changed === null ? unknown : { outcome: changed ? ('done' as const) : ('unchanged' as const) }
})
