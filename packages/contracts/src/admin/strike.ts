/** Strikes: actions of staff on an account, for staff and for the account holder. */
import { z } from 'zod'
import { AccountWarning, AdminStrike, WarningAction } from '../entities/index.js'
import {
  event,
  flagOr,
  get,
  id,
  ids,
  internal,
  operation,
  page,
  pageOf,
  post,
  text,
  textOrNone,
  user,
} from '../kit/index.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

const reads = staffReads('manage_users', 'accounts')
/** Paths of the account holder; the upstream API has none. */
export const OWN_STRIKES = '/api/murmuration/v1/strikes'

export const listStrikes = operation('admin.strike.list', {
  http: get(`${STAFF_PREFIX}/strikes`),
  viewer: reads,
  class: 'admin',
  input: z.object({ account_id: id().optional(), ...staffPage() }),
  output: staffPageOf(AdminStrike, 'account_id'),
  large: true,
  about: 'Strikes, newest first; of one account if `account_id` is given.',
})

export const showStrike = operation('admin.strike.show', {
  http: get(`${STAFF_PREFIX}/strikes/:id`),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminStrike,
  errors: ['not_found'],
  about: 'One strike with its appeal.',
})

export const actOnReportedStatuses = operation('admin.strike.act-on-statuses', {
  http: post(`${STAFF_PREFIX}/reports/:id/statuses`),
  viewer: staffWrites('manage_reports', 'reports'),
  class: 'admin',
  input: z.object({
    id: id(),
    /** `mark_statuses_as_sensitive` or `delete_statuses`. */
    type: textOrNone(50).optional(),
    /** Some of the statuses that the report names; all of them by default. */
    status_ids: ids(200).optional(),
    text: z.union([z.null(), text(100_000)]).optional(),
    warning_preset_id: textOrNone(50).optional(),
    send_email_notification: flagOr(true),
  }),
  output: AdminStrike,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about:
    'Marks reported statuses as sensitive, or deletes them for good, as a strike against the account. The report is resolved.',
})

export const listOwnStrikes = operation('admin.strike.list-own', {
  http: get(OWN_STRIKES),
  viewer: user('read|read:accounts'),
  input: page(),
  output: pageOf(AccountWarning, 'C'),
  about: 'Strikes against the own account, newest first, each with its appeal.',
})

export const showOwnStrike = operation('admin.strike.show-own', {
  http: get(`${OWN_STRIKES}/:id`),
  viewer: user('read|read:accounts'),
  input: z.object({ id: id() }),
  output: AccountWarning,
  errors: ['not_found'],
  about: 'One strike against the own account with its appeal.',
})

/** A strike for the pages of the account holder. */
export const StrikeForHolder = z.object({
  warning: AccountWarning,
  overruled_at: z.string().nullable(),
  /** Until when an appeal is possible; null if there is one, or if it is too late. */
  appeal_until: z.string().nullable(),
})
export type StrikeForHolder = z.infer<typeof StrikeForHolder>

export const findStrikesOfHolder = operation('admin.strike.find-of-holder', {
  viewer: internal(),
  input: z.object({ account: z.string(), max_id: z.string().optional(), limit: z.int().max(40) }),
  output: z.object({ strikes: z.array(StrikeForHolder) }),
  about: 'Strikes against an account for its settings page, newest first; also of disabled and suspended accounts.',
})

/** The purpose of the key that signs the links in e-mails about strikes, and how long these links are valid. */
export const STRIKE_LINK = 'strike-link'
export const STRIKE_LINK_DAYS = 30

export const showStrikeByLink = operation('admin.strike.show-by-link', {
  viewer: internal(),
  /** Of the link in an e-mail. */
  input: z.object({ token: z.string().max(512) }),
  output: z.object({
    found: z.object({ account: z.string(), strike: StrikeForHolder }).nullable(),
  }),
  about: 'The strike that the link in an e-mail names; null if the link is not ours or too old.',
})

export const strikeCreated = event('admin.strike.created', {
  data: z.object({
    id: z.string(),
    /** Account id of whom it concerns. */
    target: z.string(),
    targetLocal: z.boolean(),
    action: WarningAction,
    text: z.string(),
    statusIds: z.array(z.string()),
    /** The person is to be told, by notification and mail. */
    tell: z.boolean(),
  }),
  about: 'Staff warned or restricted an account.',
})
