/** Rules of probes: when a later delivery of the same actor is sent instead of one to which the host never responded. */
import { type Health, isStuck, othersFirst, STUCK_AFTER } from './host-queue.rules.js'
import type { DeliveryResult } from './result.rules.js'
import { HELD_MS, nextAttemptAt } from './retry.rules.js'

/** Kinds of activities that may be sent as probes. Their results do not depend on earlier activities about other objects. */
export const probeKinds: readonly string[] = ['Create', 'Update', 'Announce', 'Like']
/** Kinds of waiting activities that a probe may precede. All others, such as an Undo or Reject, keep their place in the order. */
export const precededKinds: readonly string[] = [...probeKinds, 'Accept', 'Add', 'Delete', 'Flag', 'Follow']

/** The delivery that a probe is sent instead of. */
export type UnansweredDelivery = {
  activity: string
  inbox: string
  seq: string
  attempts: number
  status: number | null
}

/** Number of attempts and last status of an unanswered delivery, and the time of its activity in ms since the epoch. */
type Waiting = Pick<UnansweredDelivery, 'attempts' | 'status'> & { madeAt: number }

const noResponse: DeliveryResult = {
  kind: 'later',
  status: null,
  why: 'no response',
  silent: true,
  timedOut: false,
  retryAfterMs: null,
  max: null,
}

/**
 * True for an unanswered delivery whose retry is replaced by a probe. `STUCK_AFTER` attempts got no response. A further failure
 * would not make it stuck, because the host accepted no other delivery since (see `isStuck`).
 *
 * The last attempt, after `HELD_MS`, is never replaced.
 */
export const needsProbe = (head: Waiting, host: { health: Health; deliveredAt: Date | null }, now: number): boolean => {
  const { attempts, status, madeAt } = head
  const tookSince = host.deliveredAt !== null && host.deliveredAt.getTime() > madeAt
  return (
    attempts >= STUCK_AFTER &&
    status === null &&
    now < madeAt + HELD_MS &&
    !isStuck(host.health, noResponse, { attempts, tookSince })
  )
}

/**
 * Time of the next attempt at an unanswered delivery after its probe failed, in ms since the epoch. The probe counts as
 * one of its attempts, so a host that is down gets no more requests than without probes.
 *
 * `responded`: true if the host responded to the probe with a failure. The host is up, so the next probe soon follows.
 */
export const dueAfterProbe = (
  head: Waiting,
  health: Health,
  it: { now: number; random: number; responded: boolean },
): number => {
  const attempts = it.responded ? 1 : head.attempts + 1
  const next = nextAttemptAt({ ...it, attempts, madeAt: head.madeAt, retryAfterMs: null })
  return othersFirst(next ?? it.now, health)
}
