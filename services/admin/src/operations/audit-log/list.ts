/** What staff did, newest first. */
import { auditLogList } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { auditPage } from '../../store/audit-log.js'

export const list = handle(auditLogList, async (ctx, _viewer, page) => ({
  entries: (await auditPage(ctx.db, page)).map(({ created_at, actor_id, ...row }) => ({
    ...row,
    actor: actor_id,
    at: created_at.toISOString(),
  })),
}))
