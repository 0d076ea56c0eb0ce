/** Operations and events about the health of other servers: waiting deliveries, their reasons, and actions of staff. */
import { z } from 'zod'
import { DomainRule } from '../admin/policy.js'
import { STAFF_PREFIX, StaffAct, staffPage, staffPageOf, staffReads, staffWrites } from '../admin/staff.js'
import { event, flagOr, get, limit, nothing, operation, post, text, textOrNone } from '../kit/index.js'

const time = z.string().nullable()

/**
 * The circuit of a host: `closed` sends normally, `half-open` sends one delivery at a time, `open` sends nothing before
 * `paused_until`. An `unavailable` host has failed on seven days and gets one delivery a day.
 */
export const Circuit = z.enum(['closed', 'half-open', 'open', 'unavailable'])
export type Circuit = z.infer<typeof Circuit>

/** Delivery state of one host. */
export const HostState = z.object({
  id: z.string(),
  host: z.string(),
  circuit: Circuit,
  /** Number of deliveries to the host that wait. In lists of hosts, at most 1,000 per host are counted. */
  waiting: z.int(),
  /** Number of inboxes of the host that responded 410 and are skipped for now. */
  gone_inboxes: z.int(),
  /** Creation time of the oldest activity that waits for its delivery to the host. */
  oldest: time,
  /** Number of consecutive failed deliveries to the host. */
  failures: z.int(),
  paused_until: time,
  unavailable_since: time,
  delivered_at: time,
  failed_at: time,
  /** Reason why the last delivery to the host failed. */
  trouble: z.string().nullable(),
})
export type HostState = z.infer<typeof HostState>

/** Reason why nothing is delivered to a host now; null if deliveries are sent. */
export const HeldReason = z.enum(['blocked', 'unavailable', 'paused'])
export type HeldReason = z.infer<typeof HeldReason>

export const HostDetail = HostState.extend({
  held: HeldReason.nullable(),
  /** Domain block that applies to the host: its own, or the block of the nearest parent domain; null without one. */
  rule: DomainRule.omit({ stamp: true }).nullable(),
  /** True if the host is suspended or not allowed, so that nothing is exchanged with it. */
  blocked: z.boolean(),
  /** Time of the last request with a valid signature that was received from the host. */
  received_at: time,
  /**
   * Number of received activities from the registered domain of the host that wait, at most 1,000. They wait because their
   * processing failed, or because too many activities of the domain are slow.
   */
  held_activities: z.int(),
  /**
   * Known accounts with this domain, a subdomain of it or one of `domains` in their handles, and follows in both
   * directions, each at most 10,000. `ties` is null while the accounts service is unavailable.
   */
  ties: z.object({ accounts: z.int(), following: z.int(), followers: z.int() }).nullable(),
  /** Other domains in the handles of accounts whose actor ids have this host. `domains` is absent if there are none. */
  domains: z.array(z.string()).optional(),
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
    /** Number of hosts to which the last delivery failed, including unavailable hosts. */
    failing: z.int(),
    /** Number of hosts to which nothing is sent now, because they are paused or unavailable. */
    held: z.int(),
    unavailable: z.int(),
    /** Number of waiting deliveries to all hosts, at most 100,000. */
    waiting: z.int(),
    oldest: time,
    /** Number of activities that the inboxes of this server refused today. */
    refused_today: z.int(),
  }),
  about: 'Number of hosts by state, of waiting deliveries and of refused activities.',
})

export const listHosts = operation('federation.host.list', {
  http: get(`${STAFF_PREFIX}/federation/hosts`),
  ...manages,
  input: z.object({
    /** Only hosts in this state: `failing`, `held`, `unavailable` or `ok`; all hosts if absent. */
    state: textOrNone(20).optional(),
    /** Only hosts whose name contains this text. */
    domain: textOrNone(255).optional(),
    ...staffPage(),
  }),
  output: staffPageOf(HostState, 'state', 'domain'),
  errors: ['unprocessable'],
  about: 'Hosts to which an activity was ever sent, latest first, with their health.',
})

export const showHost = operation('federation.host.show', {
  http: get(`${STAFF_PREFIX}/federation/hosts/:host`),
  ...manages,
  input: z.object(named),
  output: HostDetail,
  errors: ['not_found'],
  about: 'One host: health, queue, blocks that apply, and known accounts.',
})

export const retryHost = operation('federation.host.retry', {
  http: post(`${STAFF_PREFIX}/federation/hosts/:host/retry`),
  viewer: staffWrites('manage_federation'),
  class: 'admin',
  input: z.object(named),
  output: HostDetail,
  errors: ['not_found', 'unprocessable', 'unavailable'],
  about: 'Ends the pause of a host and sends its waiting deliveries now. The first delivery is sent alone.',
})

export const deliveryState = operation('federation.delivery.state', {
  http: get(`${STAFF_PREFIX}/federation/queues`),
  ...manages,
  input: z.object({
    limit: limit(50, 1_000),
    /** Only this host, even if no delivery to it waits. */
    host: textOrNone(255).optional(),
    /** True: only unavailable hosts, also those to which no delivery waits. */
    unavailable: flagOr(false),
  }),
  output: z.object({ held: z.int(), unavailable: z.int(), hosts: z.array(HostState) }),
  about: 'Number of waiting deliveries: in total, and for the hosts with the longest queues.',
})

export const dropDeliveriesOfHost = operation('federation.delivery.drop', {
  http: post(`${STAFF_PREFIX}/federation/hosts/:host/drop`),
  viewer: staffWrites('manage_federation'),
  class: 'admin',
  input: z.object({
    ...named,
    /** True: the waiting deliveries are only counted, and not discarded. */
    dry_run: flagOr(false),
  }),
  output: z.object({
    host: z.string(),
    /** Number of discarded deliveries; in a dry run, of deliveries that would be discarded, at most 1,000,000. */
    given_up: z.int(),
    /** True when more deliveries remain than one request discards. The caller repeats the request. */
    more: z.boolean(),
  }),
  errors: ['not_found'],
  about: 'Discards the waiting deliveries of a host that no longer exists. Later activities are sent to it as usual.',
})

export const hostManaged = event('federation.host.managed', {
  data: StaffAct,
  about: 'Staff retried or discarded deliveries to a host.',
})
