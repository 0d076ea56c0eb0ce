/** Sending activities to other servers: the queues that drive it, and what an operator may ask about it. */
import { z } from 'zod'
import { STAFF_PREFIX, staffReads } from '../admin/staff.js'
import { get, id, job, limit, operation, text, textOrNone, user } from '../kit/index.js'

export const deliverJob = job('federation.deliver', {
  data: z.union([
    /** A share of the hosts that an activity goes to. */
    z.object({ activity: z.string(), part: z.int(), parts: z.int() }),
    /** Hosts whose time has come. */
    z.object({ lanes: z.array(z.string()).max(1_000) }),
  ]),
  about: 'Works the queues of these hosts; what cannot be sent now waits in the ledger.',
  concurrency: 64,
})

export const lookAgainJob = job('federation.look-again', {
  /** The actor, or the inbox where it is not known whose it is. */
  data: z.union([z.object({ uri: z.string() }), z.object({ inbox: z.string() })]),
  about: 'Reads an actor again whose inbox says that it is not there any more.',
  retry: { delays: [30, 600], times: 3 },
  concurrency: 4,
})

export const tellProfileJob = job('federation.tell-profile', {
  data: z.object({
    account: z.string(),
    /** Id of the event that told of the change. */
    seq: z.string(),
    at: z.string(),
  }),
  about: 'Sends a changed profile to the servers that know it.',
})

export const tellPollJob = job('federation.tell-poll', {
  data: z.object({
    status: z.string(),
    /** Id of the event that told of the last vote. */
    seq: z.string(),
    at: z.string(),
    /** Where voters are, beside those who got the status. */
    inboxes: z.array(z.string()),
  }),
  about: 'Sends the numbers of a poll to the servers that know it.',
})

/** Where a status of one's own arrived. Numbers are of servers. */
export const StatusDeliveries = z.object({
  /** That it was, or is to be, sent to; only those that got it once the details are no longer kept. */
  servers: z.int(),
  delivered: z.int(),
  /** Still tried. */
  pending: z.int(),
  /** That said no, are gone, or never answered. */
  failed: z.int(),
  /** Names of the servers, for staff; null for everybody else. */
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
  about: 'On how many other servers a status of one’s own arrived; staff may look at any status.',
})

/** Reasons why no server, or not the expected one, received an activity. */
export const NoDeliveryReason = z.enum([
  /** Neither a known status nor an activity has this address. */
  'unknown',
  /** The status is from another server. This server sends only boosts of it. */
  'remote',
  'no-recipients',
  /** It is for followers or mentioned accounts only. */
  'not-public',
  'blocked',
  'author-suspended',
  /** The event of the status was not processed yet. */
  'not-processed',
  /** Only of one host: no recipient is there. */
  'not-addressed',
  /** Only of one host: the deliveries are no longer stored, only the inboxes that they reached. */
  'not-kept',
])
export type NoDeliveryReason = z.infer<typeof NoDeliveryReason>

export const deliveryExplain = operation('federation.delivery.explain', {
  http: get(`${STAFF_PREFIX}/federation/explain`),
  viewer: staffReads('manage_federation'),
  class: 'admin',
  input: z.object({
    /** Id of an activity, or of the status, follow or favourite it is about; of a status also the address of its page, and the addresses of its boosts. */
    activity: text(2_048).default(''),
    /** Only deliveries to this host. Then `unsent` and `reasons` are about it, too. */
    host: textOrNone(255).optional(),
    /** Deliveries that are listed of all activities together, of each what did not arrive first. */
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
            /** When it is tried next, or when it was settled. */
            at: z.string(),
          }),
        ),
        /** Deliveries that are not listed. */
        more: z.int(),
        /** Of a boost of the status, and of its undo: the id of the status. */
        boost_of: z.string().optional(),
      }),
    ),
    /** Ids of the local status and of its boosts by local accounts of which nothing was sent. Absent when there are none. */
    unsent: z.array(z.string()).optional(),
    /** There are older boosts by local accounts that are not listed. */
    more_boosts: z.boolean().optional(),
    /** Reasons that may apply when nothing was sent. Absent otherwise. */
    reasons: z.array(NoDeliveryReason).optional(),
  }),
  about: 'Where an activity went, and what came of it at each server.',
})
