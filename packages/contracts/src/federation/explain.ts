/** Operation that reports to staff where a status, boost or activity was delivered, and why it was not. */
import { z } from 'zod'
import { STAFF_PREFIX, staffReads } from '../admin/staff.js'
import { Visibility } from '../entities/index.js'
import { get, limit, operation, text, textOrNone } from '../kit/index.js'

/** Reasons why no server, or not the requested one, received an activity. */
export const NoDeliveryReason = z.enum([
  /** The requested address belongs to no known status and no known activity. */
  'unknown',
  /** The status or boost is remote. This server sends only boosts of a remote status, by its own accounts. */
  'remote',
  /** The status was deleted, or the boost undone, before it was sent. */
  'ended',
  /** The account in `by` did not boost the status. It also undid no boost of it since `ended_since`, or since `ends_from`. */
  'not-boosted',
  'no-recipients',
  /** The status is for followers or mentioned accounts only. */
  'not-public',
  'blocked',
  'author-suspended',
  /** The event of the status is not processed yet, or became a dead letter. */
  'not-processed',
  /** Only if the request names a host: no account on that server is a recipient of the activity. */
  'not-addressed',
  /**
   * Only if the request names a host: the deliveries to that host were deleted. Only the inboxes that may have received the
   * activity are still stored.
   */
  'not-kept',
])
export type NoDeliveryReason = z.infer<typeof NoDeliveryReason>

/** Reasons why a host of inboxes is meant by the name in `host`. */
export const NamedHostReason = z.enum([
  /** The host itself has the requested name. */
  'inbox',
  /** The host has inboxes of accounts whose handles have the requested domain. */
  'handle',
  /** The host has inboxes of accounts whose actor ids have the requested host. */
  'actor',
  /** The host has the shared inbox of the requested account. Statuses for the account are sent to it. */
  'shared-inbox',
  /** The host has the inbox of the requested account. Statuses are sent to that inbox only if the account has no shared inbox. */
  'own-inbox',
])
export type NamedHostReason = z.infer<typeof NamedHostReason>

const LookedAt = z.object({
  /** The requested name after parsing: a host, a handle, or the id of an actor. */
  name: z.string(),
  /**
   * False if the name means an account that is not stored here. Instead of the account, the domain of the name was
   * looked up.
   */
  is_known: z.boolean(),
  /** True if the accounts service did not respond, so that only a host that has exactly this name was looked up. */
  is_partial: z.boolean().optional(),
  /** True if the domain of the requested name is suspended or not allowed. */
  blocked: z.boolean(),
  /** Hosts of inboxes that the requested name means, at most twenty. The list is empty if no such host is known. */
  hosts: z.array(
    z.object({
      host: z.string(),
      why: z.array(NamedHostReason),
      blocked: z.boolean(),
      /** False if no activity was ever sent to this host. */
      is_used: z.boolean(),
    }),
  ),
})
export type LookedAt = z.infer<typeof LookedAt>

const Counts = z.object({ servers: z.int(), delivered: z.int(), pending: z.int() })

/** A deleted status or an undone boost. */
const Ended = z.object({
  uri: z.string(),
  /** True if a boost was undone, false if a status was deleted. */
  is_boost: z.boolean(),
  /** Time at which the status was deleted, or the boost undone. */
  at: z.string(),
  /** Servers to which the status or boost was sent before its deletion or undo; null if it was never sent. */
  before: Counts.extend({
    /** True if single deliveries are no longer stored. `delivered` then counts the servers that may have received the status. */
    is_folded: z.boolean(),
  }).nullable(),
  /**
   * Number of servers to which the Delete or Undo was sent. Null if no delivery of it is stored, because the event is
   * not processed yet.
   */
  end: Counts.nullable(),
  /** Time until which this server stores the deletion or undo. Afterwards, no data of the status or activity is stored. */
  kept_until: z.string(),
})
export type Ended = z.infer<typeof Ended>

const DeliveryStateName = z.enum(['pending', 'delivered', 'refused', 'gave-up', 'replaced'])

export const explainDelivery = operation('federation.delivery.explain', {
  http: get(`${STAFF_PREFIX}/federation/explain`),
  viewer: staffReads('manage_federation'),
  class: 'admin',
  input: z.object({
    /** Id of an activity, status, follow or favourite. For a status also its page URL, and the addresses of its boosts. */
    activity: text(2_048).default(''),
    /**
     * Only deliveries to this server: the host of its inboxes or actor ids, the domain of its handles, or the handle or
     * actor id of one account. With `host`, `unsent`, `ended` and `reasons` are about this server, and `looked_at` has
     * its hosts, also without `activity`.
     */
    host: textOrNone(2_048).optional(),
    /**
     * Name of a local account. With `activity`: only its boosts of the status, also undone ones. Without `activity`,
     * the statuses of the account are listed in `statuses`.
     */
    by: textOrNone(100).optional(),
    /** Only if `by` is given without `activity`: lists statuses created since this time. If absent, those of the last day. */
    since: textOrNone(40).optional(),
    /** Maximum number of listed deliveries of all activities together. Undelivered ones are listed first. */
    limit: limit(1_000, 1_000),
  }),
  output: z.object({
    activities: z.array(
      z.object({
        uri: z.string(),
        kind: z.string(),
        created_at: z.string(),
        counts: z.record(DeliveryStateName, z.int()),
        deliveries: z.array(
          z.object({
            inbox: z.string(),
            host: z.string(),
            state: DeliveryStateName,
            attempts: z.int(),
            status: z.int().nullable(),
            /** Time of the next try, or of the final outcome. */
            at: z.string(),
          }),
        ),
        /** Number of deliveries of the activity that are not listed. */
        more: z.int(),
        /** Id of the boosted status, if the activity is a boost or its undo. */
        boost_of: z.string().optional(),
      }),
    ),
    /** Account id of the account in `by`, if `activity` and `by` are given. An older process ignores `by`, and does not send this. */
    by: z.string().optional(),
    /** Ids of the local status and of its local boosts, also deleted ones, that were sent to no server. Absent if there are none. */
    unsent: z.array(z.string()).optional(),
    /** True if the status has older local boosts that are not listed. */
    more_boosts: z.boolean().optional(),
    /** Possible reasons why no activity was sent; absent if one was sent. */
    reasons: z.array(NoDeliveryReason).optional(),
    /** Statuses that were deleted and boosts that were undone. Absent if there are none. */
    ended: z.array(Ended).optional(),
    /**
     * Only with the reason `unknown` or `not-boosted`: this server stores nothing about statuses and boosts that ended
     * before this time.
     */
    ended_since: z.string().optional(),
    /**
     * With an address and `by`: boosts that were undone before this time were not searched, because the account has too many
     * Deletes and Undos. `ends_from` is absent if all were searched.
     */
    ends_from: z.string().optional(),
    /** Present if the request names a `host`: the meaning of the name, and the hosts of its inboxes. */
    looked_at: LookedAt.optional(),
    /** Statuses and boosts of the account in `by`, oldest first, also deleted ones. Only if `by` is given without `activity`. */
    statuses: z
      .array(
        z.object({
          uri: z.string(),
          created_at: z.string(),
          visibility: Visibility,
          /** Id of the boosted status. Null for a status that is not a boost, and if the boosted status is unknown. */
          boost_of: z.string().nullable(),
          /** Time at which the status was deleted, or the boost undone; null if it still exists. */
          ended_at: z.string().nullable(),
        }),
      )
      .optional(),
    /** True if the account has later statuses that are not listed. */
    more_statuses: z.boolean().optional(),
    /** Statuses and boosts that ended after this time were not searched. Absent if all were searched, or `activity` is given. */
    ends_until: z.string().optional(),
  }),
  errors: ['unprocessable'],
  about: 'Deliveries of a status or an activity, with the outcome on each server.',
})
