/** Renders collection JSON from rows, with the items that the viewer may see. */
import { type Collection, type CollectionItem, languageCodeOf } from '@murmuration/contracts/entities'
import type { Site } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { type CollectionItemRow, itemsOf } from './item.store.js'
import { collectionAddress, isOpen, showsItem } from './rules.js'
import type { CollectionRow } from './store.js'
import { unusableAmong } from './tag.store.js'

export const itemOf = (item: CollectionItemRow): CollectionItem => ({
  id: item.id,
  state: item.state,
  created_at: item.created_at.toISOString(),
  ...(isOpen(item.state) ? { account_id: item.account_id } : {}),
})

export const pageOf = (id: string, site: Site): string => `${site.origin}/collections/${id}`

export const tagOf = (tag: string | null, site: Site): Collection['tag'] =>
  tag === null ? null : { name: tag, url: `${site.origin}/tags/${encodeURIComponent(tag)}` }

/** Collection JSON for a collection row. `items`: the items that the viewer may see. */
export const collectionOf = (row: CollectionRow, items: readonly CollectionItemRow[], site: Site): Collection => ({
  id: row.id,
  uri: row.uri ?? collectionAddress(row.owner_uri, row.id),
  url: row.local ? pageOf(row.id, site) : row.url,
  account_id: row.account_id,
  name: row.name,
  description: row.description,
  language: languageCodeOf(row.language),
  local: row.local,
  sensitive: row.sensitive,
  discoverable: row.discoverable,
  tag: tagOf(row.tag, site),
  item_count: items.filter((item) => isOpen(item.state)).length,
  items: items.map(itemOf),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** The items of the given collections that the viewer may see, by collection. */
export const visibleItems = async (
  ctx: Pick<Context, 'db'>,
  rows: readonly CollectionRow[],
  viewer: string | null,
): Promise<Map<string, CollectionItemRow[]>> => {
  const owners = new Map(rows.map((row) => [row.id, row.account_id]))
  const shown = new Map<string, CollectionItemRow[]>(rows.map((row) => [row.id, []]))
  for (const item of await itemsOf(ctx.db, [...owners.keys()], viewer))
    if (showsItem(item, owners.get(item.collection_id) ?? '', viewer)) shown.get(item.collection_id)?.push(item)
  return shown
}

/**
 * The rows without hashtags of remote collections that staff made unusable. Mastodon refuses such a collection. Here it
 * is stored, because its local members must see that they are in it.
 */
export const withUsableTags = async (
  ctx: Pick<Context, 'db'>,
  rows: readonly CollectionRow[],
): Promise<CollectionRow[]> => {
  const unusable = await unusableAmong(
    ctx.db,
    rows.flatMap(({ local, tag }) => (local || tag === null ? [] : [tag])),
  )
  return rows.map((row) => (!row.local && unusable.has(row.tag ?? '') ? { ...row, tag: null } : row))
}

/** Collection JSON for `rows`, in their order. */
export const collectionsOf = async (
  ctx: Pick<Context, 'db' | 'site'>,
  rows: readonly CollectionRow[],
  viewer: string | null,
): Promise<Collection[]> => {
  const [items, shown] = await Promise.all([visibleItems(ctx, rows, viewer), withUsableTags(ctx, rows)])
  return shown.map((row) => collectionOf(row, items.get(row.id) ?? [], ctx.site))
}
