/** Delivery of activities to other servers: the jobs, and the report for the author of a status. The report for staff is in `explain.ts`. */
import { z } from 'zod'
import { get, id, job, operation, user } from '../kit/index.js'

export const deliverJob = job('federation.deliver', {
  data: z.union([
    /**
     * Id of an activity. The hosts of its recipients are split into `parts` parts; the job sends to the hosts of the
     * part with the number `part`.
     */
    z.object({ activity: z.string(), part: z.int(), parts: z.int() }),
    /** Ids of host queues with due deliveries. `lanes` is an older name of them. */
    z.object({ lanes: z.array(z.string()).max(1_000) }),
  ]),
  about: 'Sends the due deliveries of these hosts. Deliveries that cannot be sent now stay in the ledger.',
  concurrency: 64,
})

export const refetchGoneActorJob = job('federation.look-again', {
  /** Actor id of the account to fetch. If the actor id is unknown: an inbox, whose accounts are fetched. */
  data: z.union([z.object({ uri: z.string() }), z.object({ inbox: z.string() })]),
  about: 'Fetches an actor whose inbox responded that it no longer exists.',
  retry: { delays: [30, 600], times: 3 },
  concurrency: 4,
})

export const sendProfileUpdateJob = job('federation.tell-profile', {
  data: z.object({
    account: z.string(),
    /** Id of the event about the change of the account. */
    seq: z.string(),
    at: z.string(),
  }),
  about: 'Sends an Update of a changed profile to the servers that know the account.',
})

export const sendPollUpdateJob = job('federation.tell-poll', {
  data: z.object({
    status: z.string(),
    /** Id of the event about the last vote in the poll. */
    seq: z.string(),
    at: z.string(),
    /** Inboxes of voters, in addition to the recipients of the status. */
    inboxes: z.array(z.string()),
  }),
  about: 'Sends the current vote counts of a poll to the servers that know it.',
})

/** Delivery of a status of the authenticated account. All numbers count servers, not inboxes. */
export const StatusDeliveries = z.object({
  /** Number of recipient servers. After single deliveries were deleted, only servers that received the activity count. */
  servers: z.int(),
  delivered: z.int(),
  /** Number of servers to which the delivery is still attempted. */
  pending: z.int(),
  /** Number of servers that refused the activity, no longer exist, or never responded. */
  failed: z.int(),
  /** Each recipient server with the state of its delivery. Only for staff; null for other viewers. */
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
