/** How many requests leave at once, shared so that farewells and hosts in trouble never take the place of everyday ones. */

/** `probe` is for hosts that failed the last time, `farewell` for the news that an account is gone. */
export type Kind = 'usual' | 'probe' | 'farewell'

export interface Slots {
  /** True when there is a place. Otherwise `again` is called when there may be one. */
  take(kind: Kind, again: () => void): boolean
  give(kind: Kind): void
}

const order: readonly Kind[] = ['usual', 'probe', 'farewell']

export const createSlots = (total: number): Slots => {
  const most: Record<Kind, number> = {
    usual: total,
    probe: Math.max(1, Math.floor(total / 8)),
    farewell: Math.max(1, Math.floor(total / 8)),
  }
  const used: Record<Kind, number> = { usual: 0, probe: 0, farewell: 0 }
  const waiting: Record<Kind, Set<() => void>> = { usual: new Set(), probe: new Set(), farewell: new Set() }
  const hasRoom = (kind: Kind): boolean => used[kind] < most[kind] && used.usual + used.probe + used.farewell < total

  return {
    take(kind, again) {
      if (hasRoom(kind)) {
        used[kind]++
        return true
      }
      waiting[kind].add(again)
      return false
    },
    give(kind) {
      used[kind]--
      // Who is called may have lost interest, so that the place goes on to the next.
      for (const one of order)
        for (const again of waiting[one]) {
          if (!hasRoom(one)) break
          waiting[one].delete(again)
          again()
        }
    },
  }
}
