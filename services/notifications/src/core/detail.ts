/**
 * Details that some notification types show besides account and status. Reports and warnings are stored from their
 * events, because this service does not call the admin service. Collections and severances are loaded from the accounts
 * service.
 */
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

/** Stored detail of `admin.report`: the report in its current state. */
export interface ReportDetail {
  id: string
  /** Id of the reported account. */
  target: string
  action_taken: boolean
  action_taken_at: string | null
  category: ReportCategory
  comment: string
  status_ids: string[]
  /** Ids of the server rules that the report names; null if it names none. */
  rule_ids: string[] | null
  collection_ids: string[]
  forwarded: boolean
  created_at: string
  /** Id of the event with the last change; null if staff has not changed the report. */
  rev: string | null
}
/** Members of a report that staff may change. */
export type ReportState = Pick<ReportDetail, 'action_taken' | 'action_taken_at' | 'category' | 'rule_ids' | 'rev'>

/** Defaults for members of a report that rows of earlier releases lack. */
const OPEN = { action_taken: false, action_taken_at: null, rule_ids: null, collection_ids: [] }

/** Stored detail of `moderation_warning`: the strike. */
export interface WarningDetail {
  id: string
  target: string
  action: WarningAction
  text: string
  status_ids: string[] | null
  created_at: string
}

/** The part of a strike's detail that an appeal changes. `rev`: id of the event with the last change. */
export interface WarningChange {
  appeal: Appeal
  rev: string
}

/** Stored detail of notifications about a collection: only the id. The accounts service renders the collection for the recipient. */
export interface CollectionDetail {
  collection: string
}

/** Stored detail of `severed_relationships`: the id of the severance. The accounts service counts the severed relationships. */
export interface SeveranceDetail {
  severance: string
}

/** Stored detail of `annual_report`: the year. */
export interface YearDetail {
  year: number
}

/** Id of the collection that a notification shows, or null. */
export const collectionIn = (type: NotificationType, detail: unknown): string | null =>
  carriedBy(type) === 'collection' ? ((detail as CollectionDetail | null)?.collection ?? null) : null

/** Id of the severance that a notification shows, or null. */
export const severanceIn = (type: NotificationType, detail: unknown): string | null =>
  carriedBy(type) === 'severance' ? ((detail as SeveranceDetail | null)?.severance ?? null) : null

/**
 * Id of the account that a report or warning is about, or null. The card of that account must be loaded to render the
 * notification.
 */
export const namedIn = (type: NotificationType, detail: unknown): string | null => {
  const carried = carriedBy(type)
  return carried === 'report' || carried === 'warning' ? ((detail as { target?: string } | null)?.target ?? null) : null
}

/** JSON texts of entities that were loaded for a list of notifications, by id. */
interface Loaded {
  accounts: ReadonlyMap<string, Json<Account>>
  collections: ReadonlyMap<string, Json<Collection>>
  severances: ReadonlyMap<string, Json<RelationshipSeveranceEvent>>
}

const collectionOf = (card: Json<Collection> | undefined): Members | null => (card ? { collection: card } : null)

const severanceOf = (event: Json<RelationshipSeveranceEvent> | undefined): Members | null => (event ? { event } : null)

const reportOf = (detail: ReportDetail, target: Json<Account> | undefined): Members | null => {
  if (target === undefined) return null
  const { target: _target, rev: _rev, ...members } = detail
  return { report: splice<Report>(toJson({ ...OPEN, ...members }), { target_account: target }) }
}

const warningOf = (
  detail: WarningDetail & Partial<WarningChange>,
  target: Json<Account> | undefined,
): Members | null => {
  if (target === undefined) return null
  const { target: _target, rev: _rev, appeal = null, ...members } = detail
  return { moderation_warning: splice<AccountWarning>(toJson({ ...members, appeal }), { target_account: target }) }
}

/** The JSON members of a notification besides account and status; null if the data of a member could not be loaded. */
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
      return reportOf(detail as ReportDetail, accounts.get(namedIn(type, detail) ?? ''))
    case 'warning':
      return warningOf(detail as WarningDetail & Partial<WarningChange>, accounts.get(namedIn(type, detail) ?? ''))
  }
}
