/** Operations and events about strikes: actions of staff on an account, for staff and for the account holder. */
import { z } from 'zod'
import { AccountWarning, AdminStrike, WarningAction } from '../entities/index.js'
import {
  anyOf,
  event,
  flagOr,
  get,
  id,
  ids,
  internal,
  operation,
  optionalId,
  page,
  pageOf,
  post,
  text,
  textOrNone,
  user,
} from '../kit/index.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'

const reads = staffReads('manage_users', 'accounts')
/** Path prefix of the account holder's strikes, which Mastodon's API does not have. */
export const OWN_STRIKES = '/api/murmuration/v1/strikes'

export const listStrikes = operation('admin.strike.list', {
  http: get(`${STAFF_PREFIX}/strikes`),
  viewer: reads,
  class: 'admin',
  input: z.object({ account_id: optionalId(), ...staffPage() }),
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
    /** Action on the reported statuses: `mark_statuses_as_sensitive` or `delete_statuses`. */
    type: textOrNone(50).optional(),
    /** Ids of some statuses of the report; all of them by default. */
    status_ids: ids(200).optional(),
    text: z.union([z.null(), text()]).optional(),
    warning_preset_id: textOrNone(50).optional(),
    send_email_notification: flagOr(true),
  }),
  output: AdminStrike,
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about:
    'Marks reported statuses as sensitive, or deletes them permanently, with a strike against the account. The report is resolved.',
})

export const listOwnStrikes = operation('admin.strike.list-own', {
  http: get(OWN_STRIKES),
  viewer: user('read|read:accounts'),
  input: page(),
  output: pageOf(AccountWarning, 'list'),
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

/** A strike as the holder of the moderated account reads it. */
export const StrikeForHolder = z.object({
  warning: AccountWarning,
  overruled_at: z.string().nullable(),
  /** ISO 8601; end of the period in which an appeal is possible. Null if an appeal exists or the period has ended. */
  appeal_until: z.string().nullable(),
})
export type StrikeForHolder = z.infer<typeof StrikeForHolder>

export const findStrikesOfHolder = operation('admin.strike.find-of-holder', {
  viewer: internal(),
  input: z.object({ account: z.string(), max_id: z.string().optional(), limit: z.int().max(40) }),
  output: z.object({ strikes: z.array(StrikeForHolder) }),
  about: 'Strikes against an account for its settings page, newest first; also of disabled and suspended accounts.',
})

/** Purpose of the key that signs links in e-mails about strikes, and the validity of such a link in days. */
export const STRIKE_LINK = 'strike-link'
export const STRIKE_LINK_DAYS = 30

export const showStrikeByLink = operation('admin.strike.show-by-link', {
  viewer: internal(),
  /** Token of the link in an e-mail about a strike. */
  input: z.object({ token: z.string().max(512) }),
  output: z.object({
    found: z.object({ account: z.string(), strike: StrikeForHolder }).nullable(),
  }),
  about: 'The strike of a link in an e-mail; null if the link is invalid or expired.',
})

export const strikeCreated = event('admin.strike.created', {
  data: z.object({
    id: z.string(),
    /** Account id of the moderated account. */
    target: z.string(),
    targetLocal: z.boolean(),
    action: anyOf(WarningAction),
    text: z.string(),
    statusIds: z.array(z.string()),
    /** True when the account gets a notification and an e-mail. */
    tell: z.boolean(),
  }),
  about: 'Staff warned or restricted an account.',
})
