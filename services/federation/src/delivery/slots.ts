/** How many requests leave at once, shared so that farewells and hosts in trouble never take the place of everyday ones. */

/** `stranger` is for hosts that never took anything, `probe` for those that failed the last time, `farewell` for the news that an account is gone. */
export type Kind = 'usual' | 'stranger' | 'probe' | 'farewell'

export interface Slots {
  /** True when there is a place. Otherwise `again` is called when there may be one. */
  take(kind: Kind, again: () => void): boolean
  give(kind: Kind): void
}

const order: readonly Kind[] = ['usual', 'stranger', 'probe', 'farewell']
/** Of whom nobody knows whether they answer: a connection of their own for each, and perhaps for nothing. */
const doubtful: readonly Kind[] = ['stranger', 'probe']
/** So long doubtful ones give way to a crowd of everyday deliveries. */
const PATIENCE_MS = 2_000

export const createSlots = (total: number): Slots => {
  const most: Record<Kind, number> = {
    usual: total,
    stranger: total,
    probe: Math.max(1, Math.floor(total / 8)),
    farewell: Math.max(1, Math.floor(total / 8)),
  }
  const crowd = Math.max(1, Math.floor(total / 16))
  const used: Record<Kind, number> = { usual: 0, stranger: 0, probe: 0, farewell: 0 }
  const waiting = Object.fromEntries(order.map((kind) => [kind, new Set()])) as Record<Kind, Set<() => void>>
  let patience: NodeJS.Timeout | undefined
  let isOver = false

  const givesWay = (kind: Kind): boolean => !isOver && used.usual >= crowd && doubtful.includes(kind)
  const hasRoom = (kind: Kind): boolean =>
    used[kind] < most[kind] && order.reduce((sum, one) => sum + used[one], 0) < total && !givesWay(kind)

  /** Who is called may have lost interest, so that the place goes on to the next. */
  const offer = (): void => {
    for (const one of order)
      for (const again of waiting[one]) {
        if (!hasRoom(one)) break
        waiting[one].delete(again)
        again()
      }
    if (doubtful.every((kind) => waiting[kind].size === 0)) {
      clearTimeout(patience)
      patience = undefined
      isOver = false
    }
  }
  const wait = (kind: Kind, again: () => void): void => {
    waiting[kind].add(again)
    if (!doubtful.includes(kind)) return
    patience ??= setTimeout(() => {
      isOver = true
      offer()
    }, PATIENCE_MS).unref()
  }

  return {
    take(kind, again) {
      if (hasRoom(kind)) {
        used[kind]++
        return true
      }
      wait(kind, again)
      return false
    },
    give(kind) {
      used[kind]--
      offer()
    },
  }
}
