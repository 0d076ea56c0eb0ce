/** Details that some types show besides account and status. They come with the event, because admin cannot be asked, or from accounts. */
import { type Members, splice } from '@murmuration/cards'
import {
  type Account,
  type AccountWarning,
  type Appeal,
  type Collection,
  carriedBy,
  type NotificationType,
  type RelationshipSeveranceEvent,
  type Report,
  type ReportCategory,
  type WarningAction,
} from '@murmuration/contracts/entities'
import { type Json, toJson } from '@murmuration/contracts/kit'

/** A report as it stands. */
export interface ReportFacts {
  id: string
  target: string
  action_taken: boolean
  action_taken_at: string | null
  category: ReportCategory
  comment: string
  status_ids: string[]
  /** Null for none. */
  rule_ids: string[] | null
  collection_ids: string[]
  forwarded: boolean
  created_at: string
  /** The event that said so last; null until staff changed something. */
  rev: string | null
}
/** Fields of a report that staff may change. */
export type ReportStand = Pick<ReportFacts, 'action_taken' | 'action_taken_at' | 'category' | 'rule_ids' | 'rev'>

/** Rows of an older release have fewer fields. */
const OPEN = { action_taken: false, action_taken_at: null, rule_ids: null, collection_ids: [] }

/** A strike as the person it concerns is told of it. */
export interface WarningFacts {
  id: string
  target: string
  action: WarningAction
  text: string
  status_ids: string[] | null
  created_at: string
}

/** The part of a strike that changes when the account holder appeals, with the event that changed it last. */
export interface WarningChange {
  appeal: Appeal
  rev: string
}

/** A collection as its owner renders it for the recipient; nothing but its id is kept here. */
export interface CollectionFacts {
  collection: string
}

/** Connections that a decision cut, as accounts counts them. */
export interface SeveranceFacts {
  severance: string
}

/** The year of an annual report. */
export interface YearFacts {
  year: number
}

/** The collection that a notification shows; null when it shows none. */
export const collectionIn = (type: NotificationType, detail: unknown): string | null =>
  carriedBy(type) === 'collection' ? ((detail as CollectionFacts | null)?.collection ?? null) : null

/** The decision that a notification is about; null when it is about none. */
export const severanceIn = (type: NotificationType, detail: unknown): string | null =>
  carriedBy(type) === 'severance' ? ((detail as SeveranceFacts | null)?.severance ?? null) : null

/** The account that the detail of a notification names, whose card must be loaded; null when there is none. */
export const namedIn = (type: NotificationType, detail: unknown): string | null => {
  const carried = carriedBy(type)
  return carried === 'report' || carried === 'warning' ? ((detail as { target?: string } | null)?.target ?? null) : null
}

/** Data that was loaded for a list of notifications. */
interface Loaded {
  accounts: ReadonlyMap<string, Json<Account>>
  collections: ReadonlyMap<string, Json<Collection>>
  severances: ReadonlyMap<string, Json<RelationshipSeveranceEvent>>
}

const collectionOf = (card: Json<Collection> | undefined): Members | null => (card ? { collection: card } : null)

const severanceOf = (event: Json<RelationshipSeveranceEvent> | undefined): Members | null => (event ? { event } : null)

const reportOf = (detail: ReportFacts, target: Json<Account> | undefined): Members | null => {
  if (target === undefined) return null
  const { target: _target, rev: _rev, ...facts } = detail
  return { report: splice<Report>(toJson({ ...OPEN, ...facts }), { target_account: target }) }
}

const warningOf = (
  detail: WarningFacts & Partial<WarningChange>,
  target: Json<Account> | undefined,
): Members | null => {
  if (target === undefined) return null
  const { target: _target, rev: _rev, appeal = null, ...facts } = detail
  return { moderation_warning: splice<AccountWarning>(toJson({ ...facts, appeal }), { target_account: target }) }
}

/** The members of a type that carries more than account and status; null when a part of them is missing. */
export const detailOf = (
  type: NotificationType,
  detail: unknown,
  { accounts, collections, severances }: Loaded,
): Members | null => {
  const carried = carriedBy(type)
  switch (carried) {
    case 'status':
    case 'account':
    case 'year':
      return {}
    case 'collection':
      return collectionOf(collections.get(collectionIn(type, detail) ?? ''))
    case 'severance':
      return severanceOf(severances.get(severanceIn(type, detail) ?? ''))
    case 'report':
      return reportOf(detail as ReportFacts, accounts.get(namedIn(type, detail) ?? ''))
    case 'warning':
      return warningOf(detail as WarningFacts & Partial<WarningChange>, accounts.get(namedIn(type, detail) ?? ''))
  }
}
