/** Handlers that list statuses for exports of an account. */
import { markUris, ownStatusIds } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { idsOfAuthor, markedUris } from './store.js'

/** Addresses of the statuses that a person marked; what they may not see any more is an address like others (A048). */
const PAGE = 1_000

export const uris = handle(markUris, async (ctx, _viewer, { account, which, after }) => {
  const rows = await markedUris(ctx.db, which, account, { after: after ?? '0', limit: PAGE })
  return {
    uris: rows.flatMap((row) => row.uri ?? []),
    next: rows.length === PAGE ? (rows.at(-1)?.id ?? null) : null,
  }
})

/** Ids of everything that a person wrote and boosted, oldest first. */
export const ownIds = handle(ownStatusIds, async (ctx, _viewer, { author, after, limit }) => ({
  ids: await idsOfAuthor(ctx.db, author, { after: after ?? '0', limit }),
}))
