/**
 * Operations, events and jobs about relays: servers that distribute public statuses between servers without follows.
 */
import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffReads, staffRestore, staffWrites } from '../admin/staff.js'
import { event, get, job, nothing, operation, post, text } from '../kit/index.js'

export const Relay = z.object({
  id: z.string(),
  /** URL as entered by staff: an inbox, or the id of an actor. */
  url: z.string(),
  /** How the relay distributes statuses. An `inbox` relay gets activities unchanged, an `actor` relay gets boosts of statuses. */
  style: z.enum(['inbox', 'actor']),
  /** State of the subscription. `idle`: not subscribed. `pending`: the relay has not responded yet. */
  state: z.enum(['idle', 'pending', 'accepted', 'rejected']),
  created_at: z.string(),
})
export type Relay = z.infer<typeof Relay>

const one = z.object({ url: text(2_048) })
const change = (verb: string, errors: ('not_found' | 'unprocessable' | 'conflict' | 'unavailable')[], about: string) =>
  operation(`federation.relay.${verb}`, {
    // The URL of the relay is in the body of the request, because it contains slashes.
    http: post(`${STAFF_PREFIX}/relays${verb === 'add' ? '' : `/${verb}`}`),
    viewer: staffWrites('manage_federation'),
    class: 'admin',
    input: one,
    output: Relay,
    errors,
    about,
  })

export const listRelays = operation('federation.relay.list', {
  http: get(`${STAFF_PREFIX}/relays`),
  viewer: staffReads('manage_federation'),
  class: 'admin',
  input: nothing(),
  output: z.object({ relays: z.array(Relay) }),
  about: 'All relays, oldest first.',
})
export const addRelay = change(
  'add',
  ['unprocessable', 'conflict', 'unavailable'],
  'Adds a relay by its inbox or its actor, and subscribes to it.',
)
export const enableRelay = change('enable', ['not_found', 'unavailable'], 'Subscribes to a relay again.')
export const disableRelay = change('disable', ['not_found'], 'Ends the subscription to a relay, which stays listed.')
export const removeRelay = change('remove', ['not_found'], 'Ends the subscription to a relay and removes it.')

export const relayManaged = event('federation.relay.managed', {
  data: StaffAct,
  about: 'Staff added, enabled, disabled or removed a relay.',
})

export const readRelayedJob = job('federation.read-relayed', {
  data: z.object({ uri: z.string() }),
  about: 'Fetches a public status from its own server, after a relay announced it.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 60_000,
  concurrency: 2,
})

export const restoreRelay = staffRestore('federation.relay.restore', 'Undoes an action of staff on a relay.')
