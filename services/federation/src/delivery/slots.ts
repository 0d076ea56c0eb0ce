/** How many requests leave at once, shared so that farewells and hosts in trouble never take the place of everyday ones. */

/** `stranger` is for hosts that never took anything, `probe` for those that failed the last time, `farewell` for the news that an account is gone. */
export type Kind = 'usual' | 'unproven' | 'probe' | 'deletion'

export interface Slots {
  /** True when there is a place. Otherwise `again` is called when there may be one. */
  take(kind: Kind, again: () => void): boolean
  give(kind: Kind): void
}

const order: readonly Kind[] = ['usual', 'unproven', 'probe', 'deletion']
/** Of whom nobody knows whether they answer: a connection of their own for each, and perhaps for nothing. */
const doubtful: readonly Kind[] = ['unproven', 'probe']
/** So long doubtful ones give way to a crowd of everyday deliveries. */
const PATIENCE_MS = 2_000

export const createSlots = (total: number): Slots => {
  const highWaterMark = Math.max(1, Math.floor(total / 16))
  const most: Record<Kind, number> = {
    usual: total,
    // Everyday deliveries find a place, also when all strangers are silent.
    unproven: Math.max(1, total - highWaterMark),
    probe: Math.max(1, Math.floor(total / 8)),
    deletion: Math.max(1, Math.floor(total / 8)),
  }
  const used: Record<Kind, number> = { usual: 0, unproven: 0, probe: 0, deletion: 0 }
  /** Who waits, in the order in which they came, and since when. */
  const waiting = Object.fromEntries(order.map((kind) => [kind, new Map()])) as Record<Kind, Map<() => void, number>>
  let patience: NodeJS.Timeout | undefined
  /** Whether who is called right now waited long enough. */
  let isOverdue = false

  const inDoubt = (): number => doubtful.reduce((sum, one) => sum + used[one], 0)
  const givesWay = (kind: Kind): boolean => !isOverdue && used.usual >= highWaterMark && doubtful.includes(kind)
  const hasRoom = (kind: Kind): boolean =>
    used[kind] < most[kind] && order.reduce((sum, one) => sum + used[one], 0) < total && !givesWay(kind)

  /** Calls who waits, the first first, while there is room. Who is called may have lost interest, so that the place goes on. */
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
    // Whoever waited long enough is sure of a few places, however many everyday deliveries there are.
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
    // Whom a place is missing for is called when one is given back.
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
