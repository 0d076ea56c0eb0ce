/** Schemas of collections of accounts that users publish. */
import { z } from 'zod'
import { Account } from './account.js'
import { Count, Id, LanguageCode, Timestamp, Url } from './primitive.js'
import { ShallowTag } from './tag.js'

/** An item of a collection. `account_id` is present only while the item is pending or accepted. */
export const CollectionItem = z
  .strictObject({
    id: Id,
    state: z.enum(['pending', 'accepted', 'rejected', 'revoked']),
    created_at: Timestamp,
    account_id: Id.optional(),
  })
  .meta({ id: 'CollectionItem', description: 'An account featured in a collection.' })
export type CollectionItem = z.infer<typeof CollectionItem>

export const Collection = z
  .strictObject({
    id: Id,
    uri: Url,
    url: Url.nullable(),
    account_id: Id,
    name: z.string(),
    description: z.string(),
    language: LanguageCode.nullable(),
    local: z.boolean(),
    sensitive: z.boolean(),
    discoverable: z.boolean(),
    tag: ShallowTag.nullable(),
    item_count: Count,
    items: z.array(CollectionItem),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Collection', description: 'A published list of accounts.' })
export type Collection = z.infer<typeof Collection>

/** A collection with its owner and the accounts in it. */
export const CollectionWithAccounts = z
  .strictObject({ collection: Collection, accounts: z.array(Account) })
  .meta({ id: 'CollectionWithAccounts', description: 'A collection with its accounts.' })
export type CollectionWithAccounts = z.infer<typeof CollectionWithAccounts>

export const CollectionResult = z
  .strictObject({ collection: Collection })
  .meta({ id: 'CollectionResult', description: 'One collection, wrapped.' })
export type CollectionResult = z.infer<typeof CollectionResult>

export const CollectionsResult = z
  .strictObject({ collections: z.array(Collection) })
  .meta({ id: 'CollectionsResult', description: 'A page of collections, wrapped.' })
export type CollectionsResult = z.infer<typeof CollectionsResult>

export const CollectionItemResult = z
  .strictObject({ collection_item: CollectionItem })
  .meta({ id: 'CollectionItemResult', description: 'One collection item, wrapped.' })
export type CollectionItemResult = z.infer<typeof CollectionItemResult>
