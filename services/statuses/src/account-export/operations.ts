/** Handlers that list statuses for exports of an account. */
import { markUris } from '@murmuration/contracts/statuses'
import { handle } from '../handlers.js'
import { markedUris } from './store.js'

/**
 * Addresses of the statuses that an account bookmarked or favourited, by page of 1,000. Statuses that the account may
 * no longer see are included (A048).
 */
const PAGE = 1_000

export const uris = handle(markUris, async (ctx, _viewer, { account, which, after }) => {
  const rows = await markedUris(ctx.db, which, account, { after: after ?? '0', limit: PAGE })
  return {
    uris: rows.flatMap((row) => row.uri ?? []),
    next: rows.length === PAGE ? (rows.at(-1)?.id ?? null) : null,
  }
})
