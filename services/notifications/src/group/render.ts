/** Renders groups of notifications as JSON for their recipient. Each account and status is listed once; groups name their ids. */
import { type Members, splice } from '@murmuration/cards'
import {
  type Account,
  carriedBy,
  type GroupedNotificationsResults,
  type NotificationGroup,
  type PartialAccount,
} from '@murmuration/contracts/entities'
import { type Json, jsonArray, toJson } from '@murmuration/contracts/kit'
import type { YearDetail } from '../core/detail.js'
import type { GroupRow, GroupSummary } from '../core/group.store.js'
import { extrasOf, fallbackFor, hydrate, isHidden, isUnwanted, type State, type Tools } from '../core/shown.js'

export interface GroupOptions {
  /** Notification types that the client lists in `supported_types`. */
  supported?: readonly string[] | undefined
  /** True if only the first account of each group is rendered in full, and the others as PartialAccount. */
  partial?: boolean
  /** True if the response contains the members about the page: `page_min_id`, `page_max_id`, `latest_page_notification_at`. */
  paged: boolean
}

interface Shown {
  row: GroupRow
  summary: GroupSummary
  /** Ids of the visible senders, newest notification first. */
  senders: string[]
}

/** The summary of a notification without a group, in the form of a group with one notification. */
const aloneOf = (row: GroupRow): GroupSummary => ({
  newest_id: row.id,
  newest_at: row.created_at,
  oldest_id: row.id,
  count: 1,
  senders: [row.from_id],
})

/** JSON member `annual_report` with the year. Only groups have this member; single notifications do not. */
const yearOf = (row: GroupRow): Members =>
  carriedBy(row.type) === 'year' ? { annual_report: toJson({ year: String((row.detail as YearDetail).year) }) } : {}

/** The group with its visible senders. Null if its status is hidden, or all of its senders are. */
const shownOf = (state: State, row: GroupRow, summary: GroupSummary): Shown | null => {
  if (row.status_id !== null && !state.statuses.has(row.status_id)) return null
  const senders = [...new Set(summary.senders)].filter(
    (id) => state.accounts.has(id) && (id === row.from_id ? !isHidden(state, row) : !isUnwanted(state, id)),
  )
  return senders.length ? { row, summary, senders } : null
}

/** JSON text of one group of notifications; null if a part of it could not be loaded. */
const present = (
  state: State,
  { row, summary, senders }: Shown,
  options: GroupOptions,
): Json<NotificationGroup> | null => {
  const extras = extrasOf(state, row)
  const first = state.accounts.get(senders[0] ?? '')
  if (extras === null || first === undefined) return null
  const members = {
    group_key: row.key,
    notifications_count: summary.count,
    type: row.type,
    ...(options.paged
      ? {
          page_min_id: summary.oldest_id,
          page_max_id: summary.newest_id,
          latest_page_notification_at: summary.newest_at.toISOString(),
        }
      : {}),
    sample_account_ids: senders,
    ...(row.status_id === null ? {} : { status_id: row.status_id }),
  }
  return splice<NotificationGroup>(toJson(members), {
    // Clients expect `most_recent_notification_id` as a JSON number. The id is inserted as text, because a JavaScript
    // number would lose digits.
    most_recent_notification_id: summary.newest_id,
    ...yearOf(row),
    ...extras,
    ...fallbackFor(row, first, options.supported),
  })
}

const partialOf = (card: Json<Account>): Json<PartialAccount> => {
  const { id, acct, locked, bot, url, avatar, avatar_static, avatar_description } = JSON.parse(card) as Account
  return toJson<PartialAccount>({ id, acct, locked, bot, url, avatar, avatar_static, avatar_description })
}

/** JSON text of the response, with the groups in the order of `rows`. `summaries`: summaries of the groups by group key. */
export const renderGroups = async (
  ctx: Tools,
  recipient: string,
  rows: readonly GroupRow[],
  summaries: ReadonlyMap<string, GroupSummary>,
  options: GroupOptions,
): Promise<Json<GroupedNotificationsResults>> => {
  const wanted = rows.map((row) => ({ row, summary: summaries.get(row.key) ?? aloneOf(row) }))
  const state = await hydrate(
    ctx,
    recipient,
    rows,
    wanted.flatMap((one) => one.summary.senders),
  )
  const shown = wanted.flatMap((one) => shownOf(state, one.row, one.summary) ?? [])
  const full = new Set(shown.flatMap((one) => (options.partial ? one.senders.slice(0, 1) : one.senders)))
  const partial = new Set(shown.flatMap((one) => one.senders).filter((id) => !full.has(id)))
  const statuses = new Set(shown.flatMap((one) => one.row.status_id ?? []))
  const texts = <T>(ids: Iterable<string>, from: ReadonlyMap<string, Json<T>>): Json<T>[] =>
    [...ids].flatMap((id) => from.get(id) ?? [])
  return splice<GroupedNotificationsResults>(toJson({}), {
    accounts: jsonArray(texts(full, state.accounts)),
    ...(options.partial ? { partial_accounts: jsonArray(texts(partial, state.accounts).map(partialOf)) } : {}),
    statuses: jsonArray(texts(statuses, state.statuses)),
    notification_groups: jsonArray(shown.flatMap((one) => present(state, one, options) ?? [])),
  })
}
