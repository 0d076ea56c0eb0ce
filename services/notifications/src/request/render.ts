/** Renders notification requests as JSON. `last_status` is null if the recipient must not see it. */
import { splice } from '@murmuration/cards'
import type { NotificationRequest, Status } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { renderByIds } from '@murmuration/contracts/statuses'
import type { RequestRow } from '../core/request.store.js'
import type { Tools } from '../core/shown.js'

/** JSON texts of notification requests, in the order of the rows. Requests whose sender has no card are left out. */
export const renderRequests = async (
  ctx: Tools,
  recipient: string,
  rows: readonly RequestRow[],
): Promise<Json<NotificationRequest>[]> => {
  const statusIds = [...new Set(rows.flatMap((row) => row.last_status_id ?? []))]
  const [accounts, statuses] = await Promise.all([
    ctx.accountCards.many(rows.map((row) => row.from_id)),
    statusIds.length
      ? ctx.call(renderByIds, { viewer: recipient, ids: statusIds, place: 'notifications' })
      : new Map<string, Json<Status>>(),
  ])
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_id)
    if (account === undefined) return []
    return splice<NotificationRequest>(
      toJson({
        id: row.id,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
        notifications_count: String(Math.min(row.notifications_count, limits.delivery.pendingNotificationsShown)),
      }),
      { account, last_status: statuses.get(row.last_status_id ?? '') ?? 'null' },
    )
  })
}
