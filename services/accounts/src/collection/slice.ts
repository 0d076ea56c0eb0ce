/** Returns a page of collections by offset. The query reads one row more than the limit, which shows whether a next page exists. */
import type { CollectionsResult } from '@murmuration/contracts'
import { type Reply, reply } from '@murmuration/contracts/kit'
import type { Context } from '../context.js'
import { collectionsOf } from './present.js'
import type { CollectionRow } from './store.js'

interface Slice {
  limit: number
  offset: number
}

export const slicedCollections = async (
  ctx: Pick<Context, 'db' | 'site'>,
  viewer: string | null,
  { limit, offset }: Slice,
  read: (slice: Slice) => Promise<CollectionRow[]>,
): Promise<Reply<CollectionsResult>> => {
  const rows = limit === 0 ? [] : await read({ limit: limit + 1, offset })
  const collections = await collectionsOf(ctx, rows.slice(0, limit), viewer)
  return reply<CollectionsResult>(
    { collections },
    {
      next: rows.length > limit ? { offset: String(offset + limit) } : undefined,
      prev: offset > 0 ? { offset: String(Math.max(0, offset - limit)) } : undefined,
    },
  )
}
