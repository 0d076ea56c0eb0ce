/** Notification JSON for its recipient: loaded in batches, joined from texts; what cannot be shown whole is left out. */
import { type Members, splice } from '@murmuration/cards'
import { type Standing, viewerFacts } from '@murmuration/contracts/accounts'
import type { Account, Notification, Status } from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'
import { renderByIds } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { needsWords } from '../domain/type.js'
import { fallbackOf } from '../domain/words.js'
import type { NotificationRow } from '../store/notification.js'
import { detailOf, namedIn } from './detail.js'

type Tools = Pick<Context, 'call' | 'accountCards'>

interface State {
  accounts: ReadonlyMap<string, Json<Account>>
  statuses: ReadonlyMap<string, Json<Status>>
  standings: Readonly<Record<string, Standing>>
}

const hydrate = async (ctx: Tools, recipient: string, rows: readonly NotificationRow[]): Promise<State> => {
  const senders = [...new Set(rows.map((row) => row.from_id))]
  const shown = [...senders, ...rows.flatMap((row) => namedIn(row.type, row.detail) ?? [])]
  const statusIds = [...new Set(rows.flatMap((row) => row.status_id ?? []))]
  const [accounts, statuses, { standings }] = await Promise.all([
    ctx.accountCards.many(shown),
    statusIds.length
      ? ctx.call(renderByIds, { viewer: recipient, ids: statusIds, place: 'notifications' })
      : new Map<string, Json<Status>>(),
    senders.length ? ctx.call(viewerFacts, { viewer: recipient, authors: senders }) : { standings: {} },
  ])
  return { accounts, statuses, standings }
}

/** True when the recipient turned away from the sender; holds before any event arrives. What is not known hides. */
const isUnwanted = (standing: Standing | undefined): boolean =>
  standing === undefined ||
  standing.blocking ||
  standing.muting_notifications ||
  (standing.domain_blocking && !standing.following)

const isHidden = (state: State, row: NotificationRow): boolean =>
  row.from_id !== row.recipient_id && !row.staff && isUnwanted(state.standings[row.from_id])

/** The members that a type has beyond those of all; null when one of them cannot be shown. */
const membersOf = (state: State, row: NotificationRow): Members | null => {
  if (row.status_id !== null) {
    const status = state.statuses.get(row.status_id)
    return status === undefined ? null : { status }
  }
  return detailOf(row.type, row.detail, state.accounts)
}

const wordsOf = (row: NotificationRow, account: Json<Account>, supported: readonly string[] | undefined): Members => {
  if (!supported || !needsWords(row.type) || supported.includes(row.type)) return {}
  const { display_name, username } = JSON.parse(account) as Account
  return { fallback: toJson(fallbackOf(row.type, display_name || username)) }
}

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
    { ...(row.filtered ? { filtered: 'true' } : {}), account, ...members, ...wordsOf(row, account, supported) },
  )
}

/** Texts by id, in the order of the rows. `supported` are the types that the client says it knows. */
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
