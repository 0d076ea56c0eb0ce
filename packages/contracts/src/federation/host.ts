/** Health of other servers: what waits for them, why it waits, and what staff may do about it. */
import { z } from 'zod'
import { DomainRule } from '../admin/policy.js'
import { STAFF_PREFIX, StaffAct, staffPage, staffPageOf, staffReads, staffWrites } from '../admin/staff.js'
import { event, flagOr, get, limit, nothing, operation, post, text, textOrNone } from '../kit/index.js'

const time = z.string().nullable()

/**
 * The circuit of a host: `closed` sends normally, `half-open` sends one delivery as a probe, `open` sends nothing before
 * `paused_until`, and `unavailable` has failed on seven days and gets one probe a day.
 */
export const Circuit = z.enum(['closed', 'half-open', 'open', 'unavailable'])
export type Circuit = z.infer<typeof Circuit>

/** How one host takes what is sent to it. */
export const HostState = z.object({
  id: z.string(),
  host: z.string(),
  circuit: Circuit,
  /** Deliveries that wait. Lists count at most 1,000 of each host. */
  waiting: z.int(),
  /** Inboxes there that answered 410 and are left alone for now. */
  gone_inboxes: z.int(),
  /** When the longest waiting activity was made. */
  oldest: time,
  /** Failures in a row. */
  failures: z.int(),
  paused_until: time,
  unavailable_since: time,
  delivered_at: time,
  failed_at: time,
  /** Reason of the last failure. */
  trouble: z.string().nullable(),
})
export type HostState = z.infer<typeof HostState>

/** Why deliveries to a host are not sent now; null while they are. */
export const HeldReason = z.enum(['blocked', 'unavailable', 'paused'])
export type HeldReason = z.infer<typeof HeldReason>

export const HostDetail = HostState.extend({
  held: HeldReason.nullable(),
  /** The domain block that applies to the host: its own, or that of the nearest parent domain. */
  rule: DomainRule.omit({ stamp: true }).nullable(),
  /** True if nothing is exchanged with the host: it is suspended, or not on the list of allowed servers. */
  blocked: z.boolean(),
  /** When the host last sent a request with a valid signature. */
  received_at: time,
  /** Received activities of its site that wait because the site responds slowly or they failed; at most 1,000 are counted. */
  held_activities: z.int(),
  /** Known accounts of the domain and below, and follows in both directions; counts end at 10,000. Null if they cannot be read now. */
  ties: z.object({ accounts: z.int(), following: z.int(), followers: z.int() }).nullable(),
})
export type HostDetail = z.infer<typeof HostDetail>

const manages = { class: 'admin', viewer: staffReads('manage_federation') } as const
const named = { host: text(255) }

export const federationHealth = operation('federation.host.health', {
  http: get(`${STAFF_PREFIX}/federation/health`),
  ...manages,
  input: nothing(),
  output: z.object({
    hosts: z.int(),
    /** Hosts whose last delivery failed, the unavailable ones included. */
    failing: z.int(),
    /** Hosts to which nothing is sent now, because they are paused or unavailable. */
    held: z.int(),
    unavailable: z.int(),
    /** Deliveries that wait; at most 100,000 are counted. */
    waiting: z.int(),
    oldest: time,
    /** Activities that the inboxes refused today. */
    refused_today: z.int(),
  }),
  about: 'The health of federation in numbers.',
})

export const hostList = operation('federation.host.list', {
  http: get(`${STAFF_PREFIX}/federation/hosts`),
  ...manages,
  input: z.object({
    /** `failing`, `held`, `unavailable` or `ok`; every host if absent. */
    state: textOrNone(20).optional(),
    /** A part of the domain. */
    domain: textOrNone(255).optional(),
    ...staffPage(),
  }),
  output: staffPageOf(HostState, 'state', 'domain'),
  errors: ['unprocessable'],
  about: 'Hosts that something was ever sent to, the latest first, with their health.',
})

export const hostShow = operation('federation.host.show', {
  http: get(`${STAFF_PREFIX}/federation/hosts/:host`),
  ...manages,
  input: z.object(named),
  output: HostDetail,
  errors: ['not_found'],
  about: 'One host: health, queue, blocks that apply, and known accounts.',
})

export const hostRetry = operation('federation.host.retry', {
  http: post(`${STAFF_PREFIX}/federation/hosts/:host/retry`),
  viewer: staffWrites('manage_federation'),
  class: 'admin',
  input: z.object(named),
  output: HostDetail,
  errors: ['not_found', 'unprocessable', 'unavailable'],
  about: 'Ends the pause of a host and sends what waits for it now. The first delivery is a probe.',
})

export const deliveryState = operation('federation.delivery.state', {
  http: get(`${STAFF_PREFIX}/federation/queues`),
  ...manages,
  input: z.object({
    limit: limit(50, 1_000),
    /** Only this host, also if nothing waits for it. */
    host: textOrNone(255).optional(),
    /** Only unavailable hosts, also those that nothing waits for. */
    unavailable: flagOr(false),
  }),
  output: z.object({ held: z.int(), unavailable: z.int(), hosts: z.array(HostState) }),
  about: 'What waits for other servers: in all, and for the hosts with the longest queues.',
})

export const deliveryDrop = operation('federation.delivery.drop', {
  http: post(`${STAFF_PREFIX}/federation/hosts/:host/drop`),
  viewer: staffWrites('manage_federation'),
  class: 'admin',
  input: z.object({
    ...named,
    /** Only counts. */
    dry_run: flagOr(false),
  }),
  output: z.object({
    host: z.string(),
    /** Deliveries that were given up. A dry run counts those that would be, at most 1,000,000. */
    given_up: z.int(),
    /** There is more than one request gives up: ask again. */
    more: z.boolean(),
  }),
  errors: ['not_found'],
  about: 'Gives up what waits for a server that is gone for good; what is said later is sent as to any other.',
})

export const hostManaged = event('federation.host.managed', {
  data: StaffAct,
  about: 'Staff retried deliveries to a host or gave them up.',
})
