/** Collections of people here as other servers read them. */
import { collectionSources, type FeaturedCollectionSource } from '@murmuration/contracts/accounts'
import type { Site } from '@murmuration/kernel'
import { hashtagsIn } from '@murmuration/text'
import { authorizationAddress, collectionAddress } from '../../domain/collection.js'
import { handle } from '../../doors.js'
import { type AccountRow, accountsByIds } from '../../store/account.js'
import { type CollectionRow, collectionsByIds, collectionsKeptBy } from '../../store/collection.js'
import { type CollectionItemRow, itemsOf } from '../../store/collection-item.js'
import { pageOf, tagOf } from '../../views/collection.js'

/** Collections that are told of at once. */
const MOST = 50

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
    keptBy === undefined ? [] : collectionsKeptBy(ctx.db, keptBy, false, { limit: MOST, offset: 0 }),
  ])
  const rows = found.flat().filter((row) => row.local && !row.owner_suspended)
  const items = await itemsOf(
    ctx.db,
    rows.map((row) => row.id),
    viewer,
  )
  const people = await accountsByIds(ctx.db, [...new Set(items.map((item) => item.account_id))])
  const accounts = new Map(people.map((one) => [one.id, one]))
  const byCollection = Map.groupBy(items, (item) => item.collection_id)
  return { collections: rows.map((row) => sourceOf(row, byCollection.get(row.id) ?? [], accounts, ctx.site)) }
})
