/** Stores boosts. A boost is a status that names the original; an account has at most one per original. */
import type { Visibility } from '@murmuration/contracts/entities'
import type { Tx } from '@murmuration/db'
import { storeStatus } from '../compose/index.js'
import type { Context } from '../context.js'
import { insertReblog } from '../core/reblog/store.js'
import { addTo } from '../core/status/count.store.js'
import { levelOf } from '../core/visibility/rules.js'

export interface Boost {
  id: string
  author: string
  local: boolean
  visibility: Visibility
  uri: string
  url: string | null
  original: { id: string; author: string; local: boolean }
  createdAt: Date
  push: boolean
}

/**
 * Stores a boost in the caller's transaction. Returns false if the account has boosted the status already. The caller
 * has locked the original.
 */
export const reblog = async (ctx: Context, tx: Tx, boost: Boost): Promise<boolean> => {
  const level = levelOf(boost.visibility)
  const fresh = await insertReblog(
    tx,
    { account_id: boost.author, status_id: boost.original.id, reblog_id: boost.id },
    level <= 1,
  )
  if (!fresh) return false
  await addTo(tx, 'reblogs', boost.original.id, 1)
  await storeStatus(ctx, tx, {
    row: {
      id: boost.id,
      author_id: boost.author,
      local: boost.local,
      visibility: level,
      uri: boost.uri,
      url: boost.url,
      reblog_of_id: boost.original.id,
      reblog_of_author_id: boost.original.author,
      conversation_id: boost.id,
      listed: false,
      created_at: boost.createdAt,
    },
    mentions: [],
    tags: [],
    reblogOfLocal: boost.original.local,
    push: boost.push,
  })
  return true
}
