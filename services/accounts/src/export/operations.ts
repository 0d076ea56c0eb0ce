/** Handlers of exports as CSV. */
import { type ExportKind, exportCounts, exportOwner, exportPage } from '@murmuration/contracts/accounts'
import type { Context } from '../context.js'
import { accountOfSession } from '../core/session/signed-in.js'
import { guarded, headOf } from '../core/table.rules.js'
import { handle } from '../handlers.js'
import {
  countExported,
  type ExportPage,
  type ExportRow,
  exportedBlocks,
  exportedDomains,
  exportedFollows,
  exportedLists,
  exportedMutes,
} from './store.js'

/** Returns the number of rows of each export. */
export const getExportCounts = handle(exportCounts, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  const { followers, ...counts } = await countExported(ctx.db, account.id)
  return { counts, followers }
})

/** Returns the account whose data the user of a browser session may export. */
export const getExportOwner = handle(exportOwner, async (ctx, _viewer, { session }) => {
  const { account } = await accountOfSession(ctx, session)
  return { id: account.id, username: account.username }
})

/** Number of rows of one page of an export. */
const PAGE = 1_000

const read: Record<ExportKind, (ctx: Context, page: ExportPage) => Promise<ExportRow[]>> = {
  follows: (ctx, page) => exportedFollows(ctx.db, ctx.site.localDomain, page),
  blocks: (ctx, page) => exportedBlocks(ctx.db, ctx.site.localDomain, page),
  mutes: (ctx, page) => exportedMutes(ctx.db, ctx.site.localDomain, page, ctx.clock.date()),
  domain_blocks: (ctx, page) => exportedDomains(ctx.db, page),
  lists: (ctx, page) => exportedLists(ctx.db, ctx.site.localDomain, page),
}

export const getExportPage = handle(exportPage, async (ctx, _viewer, { session, kind, after }) => {
  const { account } = await accountOfSession(ctx, session)
  const rows = await read[kind](ctx, { account: account.id, after: after ?? '0', limit: PAGE })
  return {
    rows: [...(after === undefined ? headOf(kind) : []), ...rows.map((row) => row.cells.map(guarded))],
    next: rows.length === PAGE ? (rows.at(-1)?.cursor ?? null) : null,
  }
})
