/** Delivery of activities to other servers: the jobs, and operations that report about it. */
import { z } from 'zod'
import { STAFF_PREFIX, staffReads } from '../admin/staff.js'
import { get, id, job, limit, operation, text, textOrNone, user } from '../kit/index.js'

export const deliverJob = job('federation.deliver', {
  data: z.union([
    /** A part of the hosts that an activity is delivered to. */
    z.object({ activity: z.string(), part: z.int(), parts: z.int() }),
    /** Hosts with due deliveries. */
    z.object({ lanes: z.array(z.string()).max(1_000) }),
  ]),
  about: 'Sends the due deliveries of these hosts. Deliveries that cannot be sent now stay in the ledger.',
  concurrency: 64,
})

export const lookAgainJob = job('federation.look-again', {
  /** The actor, or the inbox if its actor is unknown. */
  data: z.union([z.object({ uri: z.string() }), z.object({ inbox: z.string() })]),
  about: 'Fetches an actor whose inbox responded that it no longer exists.',
  retry: { delays: [30, 600], times: 3 },
  concurrency: 4,
})

export const sendProfileUpdateJob = job('federation.tell-profile', {
  data: z.object({
    account: z.string(),
    /** Id of the event about the change. */
    seq: z.string(),
    at: z.string(),
  }),
  about: 'Sends an Update of a changed profile to the servers that know the account.',
})

export const sendPollUpdateJob = job('federation.tell-poll', {
  data: z.object({
    status: z.string(),
    /** Id of the event about the last vote. */
    seq: z.string(),
    at: z.string(),
    /** Inboxes of voters, in addition to the recipients of the status. */
    inboxes: z.array(z.string()),
  }),
  about: 'Sends the current vote counts of a poll to the servers that know it.',
})

/** Delivery of a status of the authenticated account. Numbers are of servers. */
export const StatusDeliveries = z.object({
  /** All recipient servers. After the deliveries were deleted, only those that received it. */
  servers: z.int(),
  delivered: z.int(),
  /** Servers with further tries. */
  pending: z.int(),
  /** Servers that refused it, no longer exist, or never responded. */
  failed: z.int(),
  /** Servers by name, for staff; null for others. */
  hosts: z
    .array(
      z.object({ host: z.string(), state: z.enum(['pending', 'delivered', 'failed']), status: z.int().nullable() }),
    )
    .nullable(),
})
export type StatusDeliveries = z.infer<typeof StatusDeliveries>

export const deliveryOfStatus = operation('federation.delivery.of-status', {
  http: get('/api/v1/statuses/:id/deliveries'),
  viewer: user('read|read:statuses'),
  input: z.object({ id: id() }),
  output: StatusDeliveries,
  errors: ['not_found'],
  about: 'Number of other servers that received an own status. Staff may request any status.',
})

/** Reasons why no server, or not the requested one, received an activity. */
export const NoDeliveryReason = z.enum([
  /** The address is neither a known status nor a known activity. */
  'unknown',
  /** The status or boost is remote. Of a remote status, this server sends only boosts by its own accounts. */
  'remote',
  /** The status was deleted, or the boost undone. */
  'ended',
  'no-recipients',
  /** The status is for followers or mentioned accounts only. */
  'not-public',
  'blocked',
  'author-suspended',
  /** The event of the status is not processed yet, or became a dead letter. */
  'not-processed',
  /** For one host only: it has no recipient. */
  'not-addressed',
  /** For one host only: its deliveries were deleted. Only the inboxes that may have received it are still stored. */
  'not-kept',
])
export type NoDeliveryReason = z.infer<typeof NoDeliveryReason>

export const deliveryExplain = operation('federation.delivery.explain', {
  http: get(`${STAFF_PREFIX}/federation/explain`),
  viewer: staffReads('manage_federation'),
  class: 'admin',
  input: z.object({
    /** Id of an activity, status, follow or favourite. For a status also its page URL, and the addresses of its boosts. */
    activity: text(2_048).default(''),
    /** Only deliveries to this host. `unsent` and `reasons` then refer to the host. */
    host: textOrNone(255).optional(),
    /** Maximum number of listed deliveries of all activities together. Undelivered ones are listed first. */
    limit: limit(1_000, 1_000),
  }),
  output: z.object({
    activities: z.array(
      z.object({
        uri: z.string(),
        kind: z.string(),
        created_at: z.string(),
        counts: z.record(z.enum(['pending', 'delivered', 'refused', 'gave-up', 'replaced']), z.int()),
        deliveries: z.array(
          z.object({
            inbox: z.string(),
            host: z.string(),
            state: z.enum(['pending', 'delivered', 'refused', 'gave-up', 'replaced']),
            attempts: z.int(),
            status: z.int().nullable(),
            /** Time of the next try, or of the final outcome. */
            at: z.string(),
          }),
        ),
        /** Number of deliveries that are not listed. */
        more: z.int(),
        /** For a boost of the status and its undo: id of the status. */
        boost_of: z.string().optional(),
      }),
    ),
    /** Ids of the local status and of its local boosts that were not sent at all, also deleted ones. Absent without any. */
    unsent: z.array(z.string()).optional(),
    /** True when there are older local boosts that are not listed. */
    more_boosts: z.boolean().optional(),
    /** Possible reasons why nothing was sent; absent otherwise. */
    reasons: z.array(NoDeliveryReason).optional(),
  }),
  about: 'Deliveries of an activity, with the outcome on each server.',
})
