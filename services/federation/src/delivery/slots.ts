/** Worker slots for requests in flight. Actor deletions and failing hosts cannot take all slots of ordinary deliveries. */

/**
 * Kinds of deliveries, each with its own quota.
 *
 * | Kind | Host or activity |
 * |---|---|
 * | `usual` | host whose last delivery arrived |
 * | `unproven` | host that never accepted a delivery |
 * | `failing` | host whose last delivery failed |
 * | `deletion` | Delete of an actor, to any host |
 */
export type Kind = 'usual' | 'unproven' | 'failing' | 'deletion'

export interface Slots {
  /** Takes a slot. If no slot is free, returns false and calls `again` later, when a slot may be free. */
  take(kind: Kind, again: () => void): boolean
  /** Releases the slot of a delivery of this kind. */
  give(kind: Kind): void
}

const order: readonly Kind[] = ['usual', 'unproven', 'failing', 'deletion']
/** Kinds of deliveries to hosts that may not respond. */
const doubtful: readonly Kind[] = ['unproven', 'failing']
/** Longest time that doubtful kinds wait while ordinary deliveries are above the high-water mark. */
const PATIENCE_MS = 2_000

export const createSlots = (total: number): Slots => {
  const highWaterMark = Math.max(1, Math.floor(total / 16))
  const max: Record<Kind, number> = {
    usual: total,
    // Unproven hosts cannot take all slots, so that ordinary deliveries continue even if no unproven host responds.
    unproven: Math.max(1, total - highWaterMark),
    failing: Math.max(1, Math.floor(total / 8)),
    deletion: Math.max(1, Math.floor(total / 8)),
  }
  const used: Record<Kind, number> = { usual: 0, unproven: 0, failing: 0, deletion: 0 }
  /**
   * Callers that wait for a slot, per kind of delivery, in the order of their calls, with the time of the call
   * (`performance.now()`).
   */
  const waiting = Object.fromEntries(order.map((kind) => [kind, new Map()])) as Record<Kind, Map<() => void, number>>
  let patience: NodeJS.Timeout | undefined
  /** True while the called caller has waited for `PATIENCE_MS`. */
  let isOverdue = false

  const inDoubt = (): number => doubtful.reduce((sum, one) => sum + used[one], 0)
  const givesWay = (kind: Kind): boolean => !isOverdue && used.usual >= highWaterMark && doubtful.includes(kind)
  const hasRoom = (kind: Kind): boolean =>
    used[kind] < max[kind] && order.reduce((sum, one) => sum + used[one], 0) < total && !givesWay(kind)

  /** Calls waiting callers in order while slots are free. If a caller takes no slot, the next caller is called. */
  const call = (kind: Kind, mayCall: () => boolean): void => {
    for (const [again, since] of waiting[kind]) {
      isOverdue = performance.now() - since >= PATIENCE_MS
      if (!mayCall() || !hasRoom(kind)) break
      waiting[kind].delete(again)
      again()
    }
    isOverdue = false
  }
  const offer = (): void => {
    // Doubtful deliveries that waited for PATIENCE_MS come first, for at most `highWaterMark` slots.
    for (const kind of doubtful) call(kind, () => isOverdue && inDoubt() < highWaterMark)
    for (const kind of order) call(kind, () => true)
    if (doubtful.some((kind) => waiting[kind].size > 0)) return
    clearTimeout(patience)
    patience = undefined
  }
  const lookLater = (): void => {
    const first = doubtful.flatMap((kind) => waiting[kind].values().take(1).toArray())
    if (first.length === 0) return
    const waitMs = Math.min(...first) + PATIENCE_MS - performance.now()
    // If no slot is free after `PATIENCE_MS`, the caller is called when a slot is released.
    patience ??= setTimeout(
      () => {
        patience = undefined
        offer()
        lookLater()
      },
      waitMs > 0 ? waitMs : PATIENCE_MS,
    ).unref()
  }

  return {
    take(kind, again) {
      if (hasRoom(kind)) {
        used[kind]++
        return true
      }
      if (!waiting[kind].has(again)) waiting[kind].set(again, performance.now())
      lookLater()
      return false
    },
    give(kind) {
      used[kind]--
      offer()
    },
  }
}
