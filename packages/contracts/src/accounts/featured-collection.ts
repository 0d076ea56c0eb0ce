/** Collections as other servers read them, and what servers ask and answer about who is in one (FEP-7aa9). */
import { z } from 'zod'
import { internal, operation } from '../kit/index.js'

export const FeaturedItemSource = z.object({
  id: z.string(),
  account: z.string(),
  accountUri: z.string(),
  kind: z.enum(['Person', 'Service', 'Group']),
  /** Where the account says that it agreed. */
  authorization: z.string(),
  created_at: z.string(),
})
export type FeaturedItemSource = z.infer<typeof FeaturedItemSource>

/** A collection that somebody here keeps, with those in it who agreed. Times are ISO 8601. */
export const FeaturedCollectionSource = z.object({
  id: z.string(),
  owner: z.string(),
  ownerUri: z.string(),
  uri: z.string(),
  /** The page. */
  url: z.string(),
  name: z.string(),
  /** Plain text. */
  description: z.string(),
  language: z.string().nullable(),
  sensitive: z.boolean(),
  discoverable: z.boolean(),
  tag: z.object({ name: z.string(), url: z.string() }).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  items: z.array(FeaturedItemSource),
})
export type FeaturedCollectionSource = z.infer<typeof FeaturedCollectionSource>

export const collectionSources = operation('accounts.collection.sources', {
  viewer: internal(),
  input: z.object({
    ids: z.array(z.string()).max(50).optional(),
    /** Those that this account wants to be found, newest first, fifty at most. */
    keptBy: z.string().optional(),
    /** Account id of who reads; those in it who block that account are left out. Null for anybody. */
    viewer: z.string().nullable(),
  }),
  output: z.object({ collections: z.array(FeaturedCollectionSource) }),
  about: 'Collections that people here keep, as other servers read them; of nobody who is suspended.',
})

export const collectionItemAuthorization = operation('accounts.collection-item.authorization', {
  viewer: internal(),
  input: z.object({ id: z.string() }),
  output: z.object({
    /** Null unless somebody here is in a collection and agreed. */
    authorization: z.object({ account: z.string(), accountUri: z.string(), collectionUri: z.string() }).nullable(),
  }),
  about: 'That somebody here agreed to be in a collection, while it holds.',
})

export const answerCollectionItem = operation('accounts.collection-item.answer', {
  viewer: internal(),
  class: 'search',
  input: z.object({
    /** Account id of who was put into a collection here, and answers. */
    actor: z.string(),
    item: z.string(),
    /** Where they say that they agree, on their own server; null when they refuse. */
    authorization: z.string().max(2_048).nullable(),
  }),
  output: z.object({
    /** `unproved`: at the address stands no agreement to this. */
    outcome: z.enum(['done', 'unchanged', 'refused', 'unproved', 'later']),
  }),
  about:
    'Somebody elsewhere says whether they want to be in a collection of somebody here; an agreement is read where it stands.',
})

export const withdrawCollectionItem = operation('accounts.collection-item.withdraw', {
  viewer: internal(),
  class: 'write',
  input: z.object({ /** Account id of who agreed. */ actor: z.string(), authorization: z.string().max(2_048) }),
  output: z.object({ outcome: z.enum(['done', 'unknown']) }),
  about: 'Somebody elsewhere takes back that they agreed to be in a collection.',
})
