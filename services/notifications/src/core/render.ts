/** Renders notifications as JSON for their recipient. A notification is left out if a part of it cannot be shown. */
import { type Members, splice } from '@murmuration/cards'
import type { Notification } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import type { NotificationRow } from './notification.store.js'
import { emojiOf, extrasOf, fallbackFor, hydrate, isHidden, type State, type Tools } from './shown.js'

/** The JSON members of a notification that depend on its type; null if one of them cannot be shown. */
const membersOf = (state: State, row: NotificationRow): Members | null => {
  if (row.status_id === null) return extrasOf(state, row)
  const status = state.statuses.get(row.status_id)
  return status === undefined ? null : { status, ...emojiOf(state, row) }
}

/** JSON text of one notification. Null if the recipient must not see it, or if a part of it could not be loaded. */
const present = (
  state: State,
  row: NotificationRow,
  supported: readonly string[] | undefined,
): Json<Notification> | null => {
  const account = state.accounts.get(row.from_id)
  const members = membersOf(state, row)
  if (account === undefined || members === null || isHidden(state, row)) return null
  return splice<Notification>(
    toJson({
      id: row.id,
      type: row.type,
      created_at: row.created_at.toISOString(),
      group_key: row.group_key ?? `ungrouped-${row.id}`,
    }),
    { ...(row.filtered ? { filtered: 'true' } : {}), account, ...members, ...fallbackFor(row, account, supported) },
  )
}

/**
 * Returns the JSON text of notifications by id, in the order of the rows. `supported`: types that the client lists in
 * `supported_types`.
 */
export const renderNotifications = async (
  ctx: Tools,
  recipient: string,
  rows: readonly NotificationRow[],
  supported?: readonly string[],
): Promise<Map<string, Json<Notification>>> => {
  const state = await hydrate(ctx, recipient, rows)
  return new Map(
    rows.flatMap((row) => {
      const text = present(state, row, supported)
      return text === null ? [] : [[row.id, text] as const]
    }),
  )
}
