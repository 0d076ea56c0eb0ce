/** Facts of accounts by id, actor id or handle; never asks the outside. */
import { accountRecords } from '@murmuration/contracts/accounts'
import type { Context } from '../../context.js'
import { handleKeyOf } from '../../domain/handle.js'
import { handleOfPage } from '../../domain/page.js'
import { handle } from '../../doors.js'
import { type RecordRow, recordsByHandles, recordsByIds, recordsByUris } from '../../store/account-record.js'
import { recordOf } from '../../views/account-record.js'

/** Accounts by the pages of their profiles. */
const byPages = async (ctx: Context, pages: readonly string[]): Promise<Map<string, RecordRow>> => {
  const wanted = pages.flatMap((page) => {
    const key = handleOfPage(page, ctx.site)
    return key === null ? [] : [{ page, key }]
  })
  const rows = await recordsByHandles(
    ctx.db,
    wanted.map(({ key }) => key),
  )
  return new Map(
    wanted.flatMap(({ page, key }) => {
      const row = rows.find((one) => one.username.toLowerCase() === key.username && one.domain === key.domain)
      return row && (key.domain === null || row.url === page) ? [[page, row] as const] : []
    }),
  )
}

export const accountRecordsOf = handle(
  accountRecords,
  async (ctx, _viewer, { ids = [], uris = [], handles = [], pages = false }) => {
    const keys = handles.map((one) => handleKeyOf(one, ctx.site)).filter((one) => one !== null)
    const found = await Promise.all([
      recordsByIds(ctx.db, ids),
      recordsByUris(ctx.db, uris),
      recordsByHandles(ctx.db, keys),
    ])
    const known = new Set(found[1].map((row) => row.uri))
    const paged = pages
      ? await byPages(
          ctx,
          uris.filter((uri) => !known.has(uri)),
        )
      : new Map<string, RecordRow>()
    const byId = new Map([...found.flat(), ...paged.values()].map((row) => [row.id, row]))
    const named = Object.fromEntries([...paged].map(([page, row]) => [page, row.id]))
    return { records: [...byId.values()].map(recordOf), ...(paged.size > 0 && { named }) }
  },
)
