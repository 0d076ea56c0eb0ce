/** Rules of relays: forms of subscription, and which statuses are sent to them. */
import type { Visibility } from '@murmuration/activitypub/vocabulary/audience'

/**
 * Style of a relay by the address that staff entered. An `inbox` relay receives the activities of authors unchanged.
 * An `actor` relay receives reblogs by the instance actor.
 */
export const styleOf = (url: string): 'inbox' | 'actor' =>
  /\/inbox\/?$/.test(new URL(url).pathname) ? 'inbox' : 'actor'

/** True for statuses that relays receive: public statuses that are no reblogs. */
export const isRelayed = (status: { visibility: Visibility; reblog_of: string | null }): boolean =>
  status.visibility === 'public' && status.reblog_of === null

/**
 * True if an account may accept or reject the Follow of a relay that is known by its inbox alone.
 *
 * | Inbox of the relay | Result |
 * |---|---|
 * | inbox of the account | true |
 * | shared inbox of the account | true for a bot account |
 */
export const ownsInbox = (
  account: { inbox_url: string | null; shared_inbox_url: string | null; bot: boolean },
  inbox: string,
): boolean => account.inbox_url === inbox || (account.bot && account.shared_inbox_url === inbox)
