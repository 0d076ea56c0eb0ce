/** Addresses of the statuses that a person marked; what they may not see any more is an address like others (A048). */
import { markUris } from '@murmuration/contracts/statuses'
import { handle } from '../../doors.js'
import { markedUris } from '../../store/mark.js'

const PAGE = 1_000

export const uris = handle(markUris, async (ctx, _viewer, { account, which, after }) => {
  const rows = await markedUris(ctx.db, which, account, { after: after ?? '0', limit: PAGE })
  return {
    uris: rows.flatMap((row) => row.uri ?? []),
    next: rows.length === PAGE ? (rows.at(-1)?.id ?? null) : null,
  }
})
