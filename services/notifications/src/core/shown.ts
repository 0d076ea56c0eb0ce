/** Loads the entities that notifications show, one call per kind, and decides which notifications the recipient may see. */
import type { Members } from '@murmuration/cards'
import {
  type AccountRelationship,
  collectionCards,
  listViewerRelationships,
  severanceCards,
} from '@murmuration/contracts/accounts'
import type { Account, Collection, RelationshipSeveranceEvent, Status } from '@murmuration/contracts/entities'
import { type Json, olderNames, type ResultOf, toJson } from '@murmuration/contracts/kit'
import { emojiReactionsOf, renderByIds } from '@murmuration/contracts/statuses'
import type { Context } from '../context.js'
import { collectionIn, detailOf, namedIn, severanceIn } from './detail.js'
import type { NotificationRow } from './notification.store.js'
import { fallbackOf } from './titles.js'
import { needsFallback } from './type.rules.js'

export type Tools = Pick<Context, 'call' | 'accountCards'>

export interface State {
  accounts: ReadonlyMap<string, Json<Account>>
  statuses: ReadonlyMap<string, Json<Status>>
  collections: ReadonlyMap<string, Json<Collection>>
  severances: ReadonlyMap<string, Json<RelationshipSeveranceEvent>>
  relationships: Readonly<Record<string, AccountRelationship>>
  /** Emoji reactions of favourites, by `reactionName`. */
  reactions: ReadonlyMap<string, Pick<Reaction, 'emoji' | 'url'>>
}

type Reaction = ResultOf<typeof emojiReactionsOf.output>['reactions'][number]

const reactionName = (account: string, status: string): string => `${account} ${status}`

/**
 * Returns the emoji reactions of the favourites among `rows`. Statuses whose JSON contains no reactions are skipped,
 * unless the JSON may leave out the reaction of the sender. For example, the JSON leaves out reactions of accounts that
 * the recipient mutes.
 */
const reactionsFor = async (
  ctx: Tools,
  rows: readonly NotificationRow[],
  { statuses, relationships }: Pick<State, 'statuses' | 'relationships'>,
): Promise<State['reactions']> => {
  const isHiddenThere = (account: string): boolean => {
    const relationship = relationships[account]
    return relationship?.muting || relationship?.blocked_by || relationship?.domain_blocking || false
  }
  const pairs = rows.flatMap(({ type, from_id: account, status_id: status }) => {
    if (type !== 'favourite' || status === null) return []
    return statuses.get(status)?.includes('"emoji_reactions":[') || isHiddenThere(account) ? [{ account, status }] : []
  })
  const { reactions } = pairs.length > 0 ? await ctx.call(emojiReactionsOf, { pairs }) : { reactions: [] }
  return new Map(reactions.map((one) => [reactionName(one.account, one.status), one]))
}

/** JSON members `emoji` and `emoji_url` of a favourite that is an emoji reaction; empty for other notifications. */
export const emojiOf = (state: State, { type, from_id, status_id }: NotificationRow): Members => {
  const found = type === 'favourite' && status_id !== null && state.reactions.get(reactionName(from_id, status_id))
  return found ? { emoji: toJson(found.emoji), emoji_url: toJson(found.url) } : {}
}

/** Loads all entities that the given notifications show, and the accounts `more`. */
export const hydrate = async (
  ctx: Tools,
  recipient: string,
  rows: readonly NotificationRow[],
  more: readonly string[] = [],
): Promise<State> => {
  const senders = [...new Set([...rows.map((row) => row.from_id), ...more])]
  const shown = [...senders, ...rows.flatMap((row) => namedIn(row.type, row.detail) ?? [])]
  const statusIds = [...new Set(rows.flatMap((row) => row.status_id ?? []))]
  const collectionIds = [...new Set(rows.flatMap((row) => collectionIn(row.type, row.detail) ?? []))]
  const severanceIds = [...new Set(rows.flatMap((row) => severanceIn(row.type, row.detail) ?? []))]
  const [accounts, statuses, collections, severances, { [olderNames.relationships]: relationships }] =
    await Promise.all([
      ctx.accountCards.many(shown),
      statusIds.length
        ? ctx.call(renderByIds, { viewer: recipient, ids: statusIds, place: 'notifications' })
        : new Map<string, Json<Status>>(),
      collectionIds.length
        ? ctx.call(collectionCards, { viewer: recipient, ids: collectionIds })
        : new Map<string, Json<Collection>>(),
      severanceIds.length
        ? ctx.call(severanceCards, { viewer: recipient, ids: severanceIds })
        : new Map<string, Json<RelationshipSeveranceEvent>>(),
      senders.length
        ? ctx.call(listViewerRelationships, { viewer: recipient, authors: senders })
        : { [olderNames.relationships]: {} },
    ])
  const reactions = await reactionsFor(ctx, rows, { statuses, relationships })
  return { accounts, statuses, collections, severances, relationships, reactions }
}

/**
 * Whether the recipient blocks or mutes the account, or blocks its domain without following the account. True if the
 * relationship is unknown. Relationships are read from the accounts service, so that a block applies before its event
 * is received.
 */
export const isUnwanted = (state: State, account: string): boolean => {
  const relationship = state.relationships[account]
  return (
    relationship === undefined ||
    relationship.blocking ||
    relationship.muting_notifications ||
    (relationship.domain_blocking && !relationship.following)
  )
}

/** Whether the recipient must not see a notification. Notifications about own activities and mentions by staff are always visible. */
export const isHidden = (state: State, row: NotificationRow): boolean =>
  row.from_id !== row.recipient_id && !row.staff && isUnwanted(state, row.from_id)

/** The JSON members that `detailOf` returns for the notification. */
export const extrasOf = (state: State, row: NotificationRow): Members | null => detailOf(row.type, row.detail, state)

/** JSON member `fallback` for a client that does not list the type in `supported_types`; empty for other clients. */
export const fallbackFor = (
  row: NotificationRow,
  account: Json<Account>,
  supported: readonly string[] | undefined,
): Members => {
  if (!supported || !needsFallback(row.type) || supported.includes(row.type)) return {}
  const { display_name, username } = JSON.parse(account) as Account
  return { fallback: toJson(fallbackOf(row.type, display_name || username)) }
}
