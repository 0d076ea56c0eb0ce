/** Works on the queues of many hosts side by side: leases lanes, sends due deliveries in order, stores results, releases lanes. */
import { randomUUID } from 'node:crypto'
import { fail } from '@murmuration/contracts/kit'
import type { Database } from '@murmuration/db'
import { ownRequest, within } from '@murmuration/kernel'
import { hostStanding } from '../core/hosts.js'
import { refuseWaiting } from './delivery.store.js'
import { claimLanes, heldLanes, postponeLanes, releaseLanes, renewLanes, type Wanted } from './host.store.js'
import { announceIdle, type Lane, laneOf, wantsMore } from './lane.js'
import type { Loader } from './loader.js'
import { createSender, type SenderContext } from './sender.js'

export interface Lanes {
  /** Leases these lanes and works on them. Resolves when they are idle, or after a second, while the rest continues. */
  wake(wanted: Wanted): Promise<void>
  /** Finishes deliveries in flight, stores their results and releases all lanes. */
  stop(): Promise<void>
}

const LEASE_MS = 15_000
/** Interval of checks of idle lanes, for which other processes may have added deliveries. */
const LOOK_MS = 250
/** How long a lane that sent all it had in memory, and has more, waits for others that are read together with it. */
const GATHER_MS = 20
/** How long an idle lane is kept. The next activity mostly goes to the same hosts, and a new lease costs more. */
const KEPT_MS = 1_000
const PATIENCE_MS = 1_000
/** Deliveries of one lane in memory at once. One whose host may be down tries with one. */
const WINDOW = 30
/** The same for a lane that has some on their way. */
const MORE = 4
const STOP_MS = 15_000

/** Nothing on the way, nothing to send. */
const isAtRest = ({ onTheWay, queue, loading }: Lane): boolean => onTheWay.size === 0 && queue.length === 0 && !loading

/** True for a host that failed the last time or never took anything. */
const isDoubtful = ({ health, deliveredAt }: Lane): boolean => health.failures > 0 || deliveredAt === null

export interface LanesContext extends SenderContext {
  db: Database
  loader: Loader
}

export const createLanes = (ctx: LanesContext): Lanes => {
  const { db, clock, log, ledger, loader } = ctx
  const holder = randomUUID()
  const held = new Map<string, Lane>()
  const idle = new Set<Lane>()
  /** Lanes that continue at once, and the call that wakes them. */
  const soon = new Set<Lane>()
  let hurry = Promise.withResolvers<void>()
  let stopping = false
  let tidying: Promise<void> | undefined
  let stopRenewing: (() => void) | undefined
  const own = <T>(work: () => Promise<T>): Promise<T> => within(ownRequest(20_000), work)

  const drop = (lane: Lane): void => {
    lane.lost = true
    lane.queue = []
    if (held.get(lane.id) === lane) held.delete(lane.id)
    idle.delete(lane)
    announceIdle(lane)
  }

  const putAside = (lane: Lane): void => {
    if (!lane.stale) announceIdle(lane)
    lane.restingSince ??= performance.now()
    idle.add(lane)
    tidying ??= tidy()
  }
  const {
    pump,
    isPaused,
    stop: stopSending,
  } = createSender(
    ctx,
    (lane) => {
      putAside(lane)
      if (!lane.stale) return
      soon.add(lane)
      hurry.resolve()
    },
    (lane) => {
      own(() => loadMore([lane])).catch((error) => log.warn({ error }, 'deliveries could not be read'))
    },
  )

  /** Reads more deliveries for lanes with some in flight, so that a slow one delays no other. */
  const loadMore = async (lanes: readonly Lane[]): Promise<void> => {
    const some = lanes.filter((it) => wantsMore(it) && !isPaused(it) && hostStanding(ctx.rules, it.host) === 'open')
    for (const lane of some) lane.loading = true
    try {
      await loader.load(some, MORE)
    } finally {
      for (const lane of some) lane.loading = false
      for (const lane of some) pump(lane)
    }
  }

  /** Reads stale lanes again and releases the rest, for as long as lanes become idle. */
  const tidy = async (): Promise<void> => {
    let next = performance.now() + LOOK_MS
    while (idle.size) {
      const hurried = hurry.promise.then(() => clock.sleep(GATHER_MS))
      await Promise.race([hurried, clock.sleep(next - performance.now())])
      hurry = Promise.withResolvers<void>()
      const isTime = performance.now() >= next
      if (isTime) next = performance.now() + LOOK_MS
      const lanes = isTime ? [...idle] : [...soon.intersection(idle)]
      soon.clear()
      for (const lane of lanes) idle.delete(lane)
      try {
        await own(() => tidyOnce(lanes))
      } catch (error) {
        log.warn({ error, lanes: lanes.length }, 'lanes wait for the database')
        for (const lane of lanes) if (!lane.lost && isAtRest(lane)) idle.add(lane)
        await clock.sleep(PATIENCE_MS)
      }
    }
    tidying = undefined
    if (held.size === 0) {
      stopRenewing?.()
      stopRenewing = undefined
    }
  }

  const tidyOnce = async (lanes: readonly Lane[]): Promise<void> => {
    const restedAt = performance.now() - KEPT_MS
    const isDue = (it: Lane): boolean => stopping || isPaused(it) || (it.restingSince ?? 0) <= restedAt
    const stale = stopping ? [] : lanes.filter((it) => it.stale)
    const rest = lanes.filter((it) => stopping || !it.stale)
    const done = rest.filter(isDue)
    stale.push(...(await look(rest.filter((it) => !isDue(it)))))
    if (done.length) {
      const released = new Set(await releaseLanes(db, done, holder, clock.date()))
      const poked: Lane[] = []
      for (const lane of done) {
        // Woken while it was released: it was leased once more to this process.
        if (lane.stale && !stopping) stale.push(lane)
        else if (released.has(lane.id)) drop(lane)
        else poked.push(lane)
      }
      if (poked.length) stale.push(...(await keep(poked)))
    }
    await load(stale)
  }

  /** Applies rows of the database to lanes. Returns the lanes that this process still has, and drops the others. */
  const applyRows = (lanes: readonly Lane[], rows: readonly { id: string; pokes: number }[]): Lane[] => {
    const pokes = new Map(rows.map((row) => [row.id, row.pokes]))
    return lanes.filter((lane) => {
      const known = pokes.get(lane.id)
      if (known === undefined) drop(lane)
      else if (known > lane.pokes) {
        lane.pokes = known
        lane.stale = true
      }
      return known !== undefined
    })
  }

  /** Extends the leases of lanes. */
  const keep = async (lanes: readonly Lane[]): Promise<Lane[]> => {
    const rows = await renewLanes(
      db,
      lanes.map((it) => it.id),
      { holder, leaseMs: LEASE_MS },
    )
    return applyRows(lanes, rows)
  }

  /** Idle lanes that have new deliveries. Other lanes stay idle, or are dropped if another process has them. */
  const look = async (lanes: readonly Lane[]): Promise<Lane[]> => {
    if (lanes.length === 0) return []
    const rows = await heldLanes(
      db,
      lanes.map((it) => it.id),
      holder,
    )
    const mine = applyRows(lanes, rows)
    for (const lane of mine) if (!lane.stale) idle.add(lane)
    return mine.filter((it) => it.stale)
  }

  /** Lanes of blocked hosts without any delivery that may still be sent. The others are checked again until they have none. */
  const refused = async (lanes: readonly Lane[]): Promise<readonly Lane[]> => {
    if (lanes.length === 0) return lanes
    const ids = lanes.map((it) => it.id)
    if (await refuseWaiting(db, ids, clock.date())) return lanes
    for (const lane of lanes) {
      lane.stale = true
      putAside(lane)
    }
    return []
  }

  const load = async (lanes: readonly Lane[]): Promise<void> => {
    const {
      unknown: waiting = [],
      open = [],
      blocked = [],
    } = Object.groupBy(lanes, (lane) => hostStanding(ctx.rules, lane.host))
    if (waiting.length) {
      const until = new Date(clock.now() + PATIENCE_MS)
      await postponeLanes(
        db,
        waiting.map((it) => it.id),
        holder,
        until,
      )
      for (const lane of waiting) drop(lane)
    }
    const ready = [...open, ...(await refused(blocked))]
    // A paused lane is released, which stores the end of its pause.
    for (const lane of ready) if (isPaused(lane)) lane.stale = false
    const start = async (some: readonly Lane[], most: number): Promise<void> => {
      await loader.load(
        some.filter((lane) => !isPaused(lane)),
        most,
      )
      for (const lane of some) pump(lane)
    }
    // Reading and signing take their time, and hosts that are well should not wait for probes of others.
    await start(
      ready.filter((lane) => !isDoubtful(lane)),
      WINDOW,
    )
    await start(ready.filter(isDoubtful), 1)
  }

  const take = async (wanted: Wanted): Promise<Lane[]> => {
    const rows = await claimLanes(db, wanted, { holder, leaseMs: LEASE_MS, now: clock.date() })
    const mine: Lane[] = []
    const fresh: Lane[] = []
    const busy: Lane[] = []
    for (const row of rows) {
      const known = held.get(row.id)
      if (known && !row.mine) drop(known)
      else if (known) {
        known.pokes = row.pokes
        known.stale = true
        mine.push(known)
        if (idle.delete(known)) fresh.push(known)
        else if (wantsMore(known)) busy.push(known)
      } else if (row.mine) {
        const lane = laneOf(row, clock.now())
        held.set(lane.id, lane)
        mine.push(lane)
        fresh.push(lane)
      }
    }
    stopRenewing ??= clock.every(LEASE_MS / 3, async () => {
      await own(() => keep([...held.values()])).catch((error) => log.warn({ error }, 'lanes could not be kept'))
    })
    try {
      await Promise.all([load(fresh), loadMore(busy)])
    } catch (error) {
      // The lanes are still leased; the next round reads deliveries that did not start.
      for (const lane of fresh.filter(isAtRest)) {
        lane.stale = true
        putAside(lane)
      }
      throw error
    }
    return mine
  }

  const isDone = (lane: Lane): boolean => lane.lost || (isAtRest(lane) && !lane.stale)

  return {
    async wake(wanted) {
      if (stopping) throw fail('unavailable', 'This process is stopping', { retryAfter: 1 })
      const busy = (await own(() => take(wanted))).filter((lane) => !isDone(lane))
      if (busy.length === 0) return
      const allIdle = Promise.all(busy.map((lane) => new Promise<void>((told) => lane.waiters.add(told))))
      await Promise.race([allIdle, clock.sleep(PATIENCE_MS)])
    },
    async stop() {
      stopping = true
      stopSending()
      const end = performance.now() + STOP_MS
      for (const lane of held.values()) pump(lane)
      while (held.size && performance.now() < end) {
        await ledger.flush()
        await Promise.race([tidying, clock.sleep(20)])
      }
      stopRenewing?.()
    },
  }
}
