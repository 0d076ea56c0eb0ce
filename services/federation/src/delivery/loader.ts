/**
 * Reads the deliveries that host queues may send now, with their payloads and keys. The number of queries does not grow
 * with them.
 */
import type { Database } from '@murmuration/db'
import { type Clock, type Log, timeOfId } from '@murmuration/kernel'
import { type Signer, type Signers, signerOf } from '../core/signature/signers.js'
import { type Due, dueDeliveries, postpone, recordResults } from './delivery.store.js'
import { type HostQueue, keyOf } from './host-queue.js'
import { isUnordered } from './host-queue.rules.js'
import type { Payload, Payloads } from './payload.js'
import { needsProbe, type UnansweredDelivery } from './probe.rules.js'
import { probesFor } from './probe.store.js'
import type { Synchronisation } from './synchronisation.js'

export interface Loader {
  /**
   * Adds due deliveries to host queues, at most `max` to each. Deliveries that are in memory or in flight
   * are not added again.
   */
  load(queues: readonly HostQueue[], max: number): Promise<void>
}

/** Delay of deliveries if the accounts service does not return the signing keys. */
const SOON_MS = 5_000
/** Delay of deliveries of an account without a signing key. The account may get a key later. */
const LATER_MS = 3_600_000

/** A due delivery; a probe with the delivery that it is sent instead of. */
type Next = Due & { readonly insteadOf?: UnansweredDelivery }

const actorOf = ({ queue, actor }: Due): string => `${queue} ${actor}`

/** Sort order: by `seq` of the events. */
const inOrder = (a: Due, b: Due): number => Number(BigInt(a.seq) - BigInt(b.seq))

export const createLoader = (ctx: {
  db: Database
  clock: Pick<Clock, 'now' | 'date'>
  log: Log
  payloads: Payloads
  signers: Signers
  synchronisation: Synchronisation
}): Loader => {
  const { db, clock, log } = ctx

  const keysFor = async (due: readonly Due[]): Promise<{ keys: Map<string, Signer>; waitMs: number }> => {
    try {
      return { keys: await ctx.signers.many(due.map((it) => it.actor)), waitMs: LATER_MS }
    } catch (error) {
      log.warn({ error, deliveries: due.length }, 'deliveries wait for the keys of their authors')
      return { keys: new Map(), waitMs: SOON_MS }
    }
  }

  /**
   * Replaces unanswered deliveries by their probes, where there are any. Other deliveries of these actors are left out,
   * because they wait for the response to the probe.
   *
   * `isFree`: false for a delivery whose actor has another one in memory or in flight.
   */
  const withProbes = async (
    due: readonly Due[],
    byQueue: ReadonlyMap<string, HostQueue>,
    isFree: (it: Due) => boolean,
  ): Promise<readonly Next[]> => {
    const ordered = due.filter((it) => !isUnordered(it))
    const first = new Map(ordered.toReversed().map((it) => [actorOf(it), it]))
    const heads = [...first.values()].filter((it) => {
      const queue = byQueue.get(it.queue)
      return queue !== undefined && isFree(it) && needsProbe({ ...it, madeAt: timeOfId(it.seq) }, queue, clock.now())
    })
    if (heads.length === 0) return due
    const probes = new Map<string, Next>()
    for (const { position, ...probe } of await probesFor(db, heads, clock.date())) {
      const head = heads[position - 1]
      if (head) probes.set(actorOf(head), { ...probe, insteadOf: head })
    }
    const others = due.filter((it) => isUnordered(it) || !probes.has(actorOf(it)))
    return [...others, ...probes.values()]
  }

  return {
    async load(queues, max) {
      if (queues.length === 0) return
      // `stale` is cleared before the deliveries are read, because a host queue that is woken meanwhile becomes stale
      // again.
      for (const queue of queues) queue.stale = false
      // The keys of known deliveries are listed before the query, because a delivery that ends during the query may
      // still be pending in the rows.
      const held = queues.map((it) => it.keys())
      const removals = new Map(queues.map((it) => [it, it.removals]))
      const known = new Set(held.flat())
      const busy = new Set(queues.flatMap((queue) => queue.actors().map((actor) => `${queue.id} ${actor}`)))
      const limit = max + Math.max(...held.map((keys) => keys.length))
      const all = await dueDeliveries(
        db,
        queues.map((it) => it.id),
        clock.date(),
        limit,
      )
      const byQueue = new Map(queues.map((queue) => [queue.id, queue]))
      const unknown = all.filter((it) => !known.has(keyOf(it)))
      const due = await withProbes(unknown, byQueue, (it) => !busy.has(actorOf(it)))
      if (due.length === 0) return
      const [payloads, { keys, waitMs }] = await Promise.all([
        ctx.payloads.many(due.map((it) => it.activity)),
        keysFor(due),
      ])
      const textless = due.filter((it) => !payloads.has(it.activity))
      const keyless = due.filter((it) => payloads.has(it.activity) && !keys.has(it.actor))
      if (textless.length)
        await recordResults(
          db,
          textless.map((it) => ({ ...it, fate: { state: 'gave-up' }, status: null, gone: false })),
          clock.date(),
        )
      const unsent = keyless.flatMap((it) => (it.insteadOf === undefined ? [it] : [it, it.insteadOf]))
      if (unsent.length) await postpone(db, unsent, new Date(clock.now() + waitMs))
      const synchronised = await ctx.synchronisation.many(
        due.flatMap((it) => (payloads.get(it.activity)?.forFollowers ? [it.actor] : [])),
      )
      const headerOf = (it: Due, payload: Payload, signer: Signer): string | null =>
        payload.forFollowers ? (synchronised.get(it.actor)?.headerFor(it.url, signer.actor) ?? null) : null
      const counts = new Map<string, number>()
      for (const one of due) {
        const payload = payloads.get(one.activity)
        const signer = signerOf(keys.get(one.actor), one)
        const queue = byQueue.get(one.queue)
        // A delivery of the host queue failed after `due` was read, so deliveries in `due` may have to wait for it.
        // None of them is queued, and the host queue is read again.
        if (queue && queue.removals !== removals.get(queue)) {
          queue.stale = true
          continue
        }
        if (payload && signer)
          queue?.items.push({ ...one, payload, signer, synchronisation: headerOf(one, payload, signer) })
        const count = (counts.get(one.queue) ?? 0) + 1
        counts.set(one.queue, count)
        if (queue && count >= max) queue.stale = true
      }
      for (const queue of queues) queue.items.sort(inOrder)
    },
  }
}
