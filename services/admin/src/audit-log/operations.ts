/** Handlers that read the audit log, verify its chain and export it. */
import { browseAuditLog, exportAuditLog, listAuditLog, verifyAuditLog } from '@murmuration/contracts/admin'
import type { Context } from '../context.js'
import { type ChainProblem, endProblem, verifyChain } from '../core/audit-log/rules.js'
import { auditPage, auditSearch, chainHead, chainPage, unchainedId } from '../core/audit-log/store.js'
import { auditEntryOf } from '../core/audit-log/view.js'
import { rowPage } from '../core/row-page.js'
import { handle } from '../handlers.js'

export const list = handle(listAuditLog, async (ctx, _viewer, page) => ({
  entries: (await auditPage(ctx.db, page)).map(auditEntryOf),
}))

export const browse = handle(
  browseAuditLog,
  async (ctx, _viewer, { actor_id, action, target_id, batch_id, ...page }) => {
    const rows = await auditSearch(ctx.db, { actor_id, action, target_id, batch_id }, page)
    return rowPage(browseAuditLog.output, rows, auditEntryOf, page)
  },
)

/** Reports an entry that is not in the hash chain, because it has no valid sequence number. Null if there is none. */
const unchained = async (ctx: Pick<Context, 'db'>): Promise<ChainProblem | null> => {
  const id = await unchainedId(ctx.db)
  return id === null ? null : { seq: '0', id, reason: 'added' }
}

/**
 * Verifies a page of the hash chain. Reads the head of the chain before and after the page, so that entries added
 * meanwhile are no problem.
 */
export const verify = handle(verifyAuditLog, async (ctx, _viewer, { after, limit }) => {
  const before = await chainHead(ctx.db)
  const max = Math.max(1, limit)
  const rows = await chainPage(ctx.db, after.seq, max)
  const { end, problem: broken } = verifyChain(after, rows)
  const isLast = rows.length < max
  if (broken !== null || !isLast) return { end, more: broken === null, problem: broken }
  const problem = endProblem(end, { before, after: await chainHead(ctx.db) }) ?? (await unchained(ctx))
  return { end, more: false, problem }
})

export const exportPage = handle(exportAuditLog, async (ctx, _viewer, { after, limit }) => {
  const max = Math.max(1, limit)
  const rows = await chainPage(ctx.db, after, max)
  const last = rows.at(-1)
  return {
    // An entry without hash or text was changed in the database. The export must show such an entry and not fail.
    entries: rows.map(({ seq, hash, entry }) => ({ seq, hash: hash?.toString('hex') ?? '', entry: entry ?? '' })),
    next: last && rows.length === max ? last.seq : null,
  }
})
