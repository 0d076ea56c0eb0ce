/**
 * Applies the rules of `state.rules.ts` to a batch of deliveries in memory: each delivery sees the effect of the
 * previous deliveries.
 */

import { transition } from './state.rules.js'
import type { Delivery, Micros, StoredActivity, StoredUndo } from './state-input.rules.js'

/** A delivery to an inbox, with the key of its activity. */
export interface KeyedDelivery extends Delivery {
  /** Row id that the activity gets if it is new. */
  readonly id: string
  readonly key: string
  /** Key of the activity that an Undo undoes; null for other types. */
  readonly undoes: string | null
}

/** Stored rows: activities by key, Undos by `undoName`. */
export interface StoredRows {
  readonly now: Micros
  readonly activities: ReadonlyMap<string, StoredActivity>
  readonly undos: ReadonlyMap<string, StoredUndo>
}

/** An Undo to record for its target. */
export interface RecordedUndo {
  readonly key: string
  readonly actor: string
  readonly signedAt: Micros | null
  /** Row id of the Undo activity; null keeps the stored row id. */
  readonly undoId: string | null
  /** True if the target had been processed before the Undo was received. */
  readonly late: boolean
}

/** Rows to write for a batch. `renew` only changes the signature times. */
export interface Decision<D> {
  readonly insert: readonly D[]
  readonly replace: readonly { readonly delivery: D; readonly state: StoredActivity }[]
  readonly renew: readonly StoredActivity[]
  readonly undos: readonly RecordedUndo[]
  /** Deliveries whose activity a job must process, each with its row id. */
  readonly queued: ReadonlyMap<D, string>
}

export const undoName = (key: string, actor: string): string => `${key} ${actor}`

const latest = (a: Micros | null, b: Micros | null): Micros | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

const fresh = (it: KeyedDelivery, now: Micros): StoredActivity => {
  const { id, type, actor, ownerId, digest, signedAt } = it
  return {
    ...{ id, type, actor, ownerId, digest, signedAt },
    ...{ outcome: null, receivedAt: now, closedAt: null, again: false },
  }
}

class Batch<D extends KeyedDelivery> {
  readonly #now: Micros
  readonly #activities: Map<string, StoredActivity>
  readonly #undos: Map<string, StoredUndo>
  readonly #inserted: ReadonlySet<D>
  readonly #insert: D[] = []
  /** Changed rows by row id. `delivery` is null if only the time of the signature changes. */
  readonly #changed = new Map<string, { delivery: D | null; state: StoredActivity }>()
  readonly #recorded = new Map<string, RecordedUndo>()
  readonly #queued = new Map<D, string>()
  readonly #queuedIds = new Set<string>()

  constructor({ now, activities, undos }: StoredRows, inserted: ReadonlySet<D>) {
    this.#now = now
    this.#activities = new Map(activities)
    this.#undos = new Map(undos)
    this.#inserted = inserted
  }

  #queue(delivery: D, id: string): void {
    if (!this.#queuedIds.has(id)) this.#queued.set(delivery, id)
    this.#queuedIds.add(id)
  }

  /** Applies a delivery. Returns true if its activity is new, or replaces the stored activity. */
  deliver(delivery: D): boolean {
    const { key, actor, signedAt } = delivery
    const now = this.#now
    const stored = this.#activities.get(key) ?? null
    const input = { stored, undo: this.#undos.get(undoName(key, actor)) ?? null, delivery, now }
    const effect = transition('delivery', input)
    if (effect === 'insert' || stored === null) {
      if (!this.#inserted.has(delivery)) this.#insert.push(delivery)
      this.#activities.set(key, fresh(delivery, now))
      this.#queue(delivery, delivery.id)
      return true
    }
    if (effect === 'ignore') return false
    const isReplaced = effect === 'replace'
    const state: StoredActivity = isReplaced
      ? {
          ...fresh(delivery, now),
          id: stored.id,
          signedAt: signedAt === null ? null : latest(stored.signedAt, signedAt),
          again: transition('replacement', input) === 'again',
        }
      : { ...stored, signedAt, again: stored.again || stored.outcome === null }
    this.#activities.set(key, state)
    const before = this.#changed.get(stored.id)?.delivery ?? null
    this.#changed.set(stored.id, { delivery: isReplaced ? delivery : before, state })
    if (isReplaced) this.#queue(delivery, stored.id)
    return isReplaced
  }

  /** Applies the delivery of an Undo, and records the Undo for its target (key `target`). */
  deliverUndo(delivery: D, target: string): void {
    const isStored = this.deliver(delivery)
    const { actor, signedAt } = delivery
    const name = undoName(target, actor)
    const undo = this.#undos.get(name) ?? null
    const input = { isStored, signedAt, actor, target: this.#activities.get(target) ?? null, undo }
    const effect = transition('undoDelivery', input)
    if (effect === 'ignore') return
    const late = effect === 'record-late' || (undo?.late ?? false)
    const recorded = this.#recorded.get(name)
    const undoId = effect === 'renew' ? (recorded?.undoId ?? null) : (this.#activities.get(delivery.key)?.id ?? null)
    const signed = latest(undo?.signedAt ?? null, signedAt)
    this.#undos.set(name, { signedAt: signed, at: this.#now, waits: true, late })
    this.#recorded.set(name, { key: target, actor, signedAt: signed, undoId, late })
  }

  decision(): Decision<D> {
    const changed = [...this.#changed.values()]
    return {
      insert: this.#insert,
      replace: changed.flatMap(({ delivery, state }) => (delivery === null ? [] : [{ delivery, state }])),
      renew: changed.flatMap(({ delivery, state }) => (delivery === null ? [state] : [])),
      undos: [...this.#recorded.values()],
      queued: this.#queued,
    }
  }
}

/**
 * Sorts deliveries: all Undos first, then the rest, each by time of signature.
 *
 * An activity in the same batch as its Undo thus counts as received after the Undo.
 */
const inOrder = <D extends KeyedDelivery>(deliveries: readonly D[]): D[] => {
  const sorted = deliveries.toSorted((a, b) => (a.signedAt ?? 0) - (b.signedAt ?? 0))
  return [...sorted.filter((it) => it.undoes !== null), ...sorted.filter((it) => it.undoes === null)]
}

/** The first delivery of each key in decision order. The first delivery is inserted if the key is new. */
export const firstOfKeys = <D extends KeyedDelivery>(deliveries: readonly D[]): D[] => [
  ...new Map(
    inOrder(deliveries)
      .toReversed()
      .map((it) => [it.key, it]),
  ).values(),
]

/**
 * Decides which rows a batch of deliveries changes. `inserted`: the deliveries of `firstOfKeys` that were just
 * inserted, because their keys were new.
 */
export const decideBatch = <D extends KeyedDelivery>(
  rows: StoredRows,
  deliveries: readonly D[],
  inserted: ReadonlySet<D>,
): Decision<D> => {
  const batch = new Batch<D>(rows, inserted)
  for (const it of inOrder(deliveries)) {
    if (it.undoes === null) batch.deliver(it)
    else batch.deliverUndo(it, it.undoes)
  }
  return batch.decision()
}
