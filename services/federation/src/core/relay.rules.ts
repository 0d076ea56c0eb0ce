/** Rules of relays: forms of subscription, and which statuses are sent to them. */
import type { Visibility } from '@murmuration/activitypub/vocabulary/audience'

/** A relay added by its inbox receives activities unchanged. A relay added by its actor receives reblogs by the instance actor. */
export const styleOf = (url: string): 'inbox' | 'actor' =>
  /\/inbox\/?$/.test(new URL(url).pathname) ? 'inbox' : 'actor'

/** True for statuses that relays receive: public ones, without reblogs. */
export const isRelayed = (status: { visibility: Visibility; reblog_of: string | null }): boolean =>
  status.visibility === 'public' && status.reblog_of === null

/**
 * Whether an account may answer for a relay that is known by its inbox alone.
 *
 * | Inbox | Accounts |
 * |---|---|
 * | inbox of the account | that account |
 * | shared inbox | accounts of services only |
 */
export const ownsInbox = (
  account: { inbox_url: string | null; shared_inbox_url: string | null; bot: boolean },
  inbox: string,
): boolean => account.inbox_url === inbox || (account.bot && account.shared_inbox_url === inbox)
