/** Handlers that read the audit log, verify its chain and export it. */
import { auditLogBrowse, auditLogExport, auditLogList, auditLogVerify } from '@murmuration/contracts/admin'
import { verifyChain } from '../core/audit-log/rules.js'
import { auditPage, auditSearch, chainHead, chainPage } from '../core/audit-log/store.js'
import { auditEntryOf } from '../core/audit-log/view.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'

export const list = handle(auditLogList, async (ctx, _viewer, page) => ({
  entries: (await auditPage(ctx.db, page)).map(auditEntryOf),
}))

export const browse = handle(
  auditLogBrowse,
  async (ctx, _viewer, { actor_id, action, target_id, batch_id, ...page }) => {
    const rows = await auditSearch(ctx.db, { actor_id, action, target_id, batch_id }, page)
    return rowPage(auditLogBrowse.output, rows, auditEntryOf, page)
  },
)

/** Verifies a page of the chain. Reads the head first, so that entries added meanwhile do not look like a removed end. */
export const verify = handle(auditLogVerify, async (ctx, _viewer, { after, limit }) => {
  const head = await chainHead(ctx.db)
  const most = Math.max(1, limit)
  const rows = await chainPage(ctx.db, after.seq, most)
  const { end, problem } = verifyChain(after, rows)
  const isLast = rows.length < most
  const isCut = isLast && problem === null && BigInt(end.seq) < BigInt(head.seq)
  const isOtherEnd = isLast && problem === null && end.seq === head.seq && end.hash !== head.hash
  return {
    end,
    more: !isLast && problem === null,
    problem: isCut || isOtherEnd ? { seq: String(BigInt(end.seq) + 1n), id: null, reason: 'cut' as const } : problem,
  }
})

export const exportPage = handle(auditLogExport, async (ctx, _viewer, { after, limit }) => {
  const most = Math.max(1, limit)
  const rows = await chainPage(ctx.db, after, most)
  const last = rows.at(-1)
  return {
    // An entry without hash or text was changed in the database. The export must show that and not fail.
    entries: rows.map(({ seq, hash, entry }) => ({ seq, hash: hash?.toString('hex') ?? '', entry: entry ?? '' })),
    next: last && rows.length === most ? last.seq : null,
  }
})
