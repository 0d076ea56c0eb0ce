/**
 * Processes the lanes of many hosts concurrently: leases them, sends due deliveries in order, stores results, and releases them.
 *
 * `lane-state.rules.ts` has the states of a lane. A lane in `sending` belongs to the sender, which returns it when it is empty.
 */
import { fail } from '@murmuration/contracts/kit'
import type { Database } from '@murmuration/db'
import { hostAccess } from '../core/hosts.js'
import { MAX_ROWS_PER_LANE, refuseWaiting } from './delivery.store.js'
import type { Lane } from './lane.js'
import type { Wanted } from './lane.store.js'
import { inBackground, Leases } from './leases.js'
import type { Loader } from './loader.js'
import { countAbandoned } from './metrics.js'
import { createSender, type Sender, type SenderContext } from './sender.js'

/**
 * Interval of the checks of idle lanes (hosts without deliveries in this process), for which other processes may have
 * added deliveries.
 */
const CHECK_MS = 250
/** Delay before more deliveries of an idle lane (host) are read, so that several lanes share one query. */
const FLUSH_MS = 20
/**
 * Time for which the lane of a host stays leased without deliveries, because the next activity is often sent to the
 * same hosts.
 */
const KEPT_MS = 1_000
/** Longest time that `wake` waits; also the delay after a database error, and for a host whose access is unknown. */
const PATIENCE_MS = 1_000
/**
 * Maximum number of deliveries that are read at once for an idle lane (host). For a host that may be down, one delivery
 * is read.
 */
const WINDOW = 30
/** Maximum number of deliveries that are read at once for a lane (host) with deliveries in flight. */
const MORE = 4
/** Longest time that `stop` waits for deliveries in flight. */
const STOP_MS = 15_000

export interface DeliveryLoopContext extends SenderContext {
  db: Database
  loader: Loader
}

export class DeliveryLoop {
  readonly #ctx: DeliveryLoopContext
  readonly #leases: Leases
  readonly #sender: Sender
  /** Idle lanes (hosts) with more due deliveries, which are checked after `FLUSH_MS` instead of `CHECK_MS`. */
  readonly #urgent = new Set<Lane>()
  #wakeChecks = Promise.withResolvers<void>()
  /** Promise of the running checks of idle lanes; undefined if there are no idle lanes. */
  #checks: Promise<void> | undefined
  #isStopping = false

  constructor(ctx: DeliveryLoopContext) {
    this.#ctx = ctx
    this.#leases = new Leases(ctx)
    this.#sender = createSender(ctx, {
      onEmpty: (lane) => this.#continueOrRest(lane),
      onWantsMore: (lane) => {
        inBackground(() => this.#loadMore([lane])).catch((error) =>
          ctx.log.warn({ error }, 'deliveries could not be read'),
        )
      },
    })
  }

  /**
   * Leases the lanes of these hosts and sends their deliveries. Resolves when the lanes are done, at the latest after
   * `PATIENCE_MS`. Unfinished lanes continue.
   */
  async wake(wanted: Wanted): Promise<void> {
    if (this.#isStopping) throw fail('unavailable', 'This process is stopping', { retryAfter: 1 })
    const busy = (await inBackground(() => this.#take(wanted))).filter((lane) => !lane.isDone)
    if (busy.length === 0) return
    await Promise.race([Promise.all(busy.map((lane) => lane.whenDone())), this.#ctx.clock.sleep(PATIENCE_MS)])
  }

  /** Finishes deliveries in flight, stores their results and releases all lanes. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#sender.stop()
    const end = performance.now() + STOP_MS
    for (const lane of this.#leases.lanes()) this.#sender.pump(lane)
    while (this.#leases.size && performance.now() < end) {
      await this.#ctx.ledger.flush()
      await Promise.race([this.#checks, this.#ctx.clock.sleep(20)])
    }
    this.#leases.stop()
  }

  async #take(wanted: Wanted): Promise<Lane[]> {
    const lanes = await this.#leases.claim(wanted)
    // A lane that is neither idle nor sending was marked as stale by `claim`, so its deliveries are read again later.
    await Promise.all([
      this.#load(lanes.filter((lane) => lane.state === 'idle')),
      this.#loadMore(lanes.filter((lane) => lane.wantsMore)),
    ])
    return lanes
  }

  /**
   * Loads the due deliveries of idle or checked lanes (hosts); the state of a lane becomes `loading` and then
   * `sending`.
   */
  async #load(lanes: readonly Lane[]): Promise<void> {
    const unread = new Set(lanes.filter((lane) => lane.enter('loading')))
    try {
      const {
        unknown = [],
        open = [],
        blocked = [],
      } = Object.groupBy(unread, (it) => hostAccess(this.#ctx.rules, it.host))
      await this.#leases.postpone(unknown, new Date(this.#ctx.clock.now() + PATIENCE_MS))
      const ready = [...open, ...(await this.#refuse(blocked))]
      const start = async (some: readonly Lane[], max: number): Promise<void> => {
        await this.#ctx.loader.load(
          some.filter((lane) => !this.#isPaused(lane)),
          max,
        )
        for (const lane of some) {
          unread.delete(lane)
          // The lane of a paused host is not read. The lane is released, which stores the end of the pause as its due
          // time.
          if (this.#isPaused(lane)) lane.stale = false
          this.#sender.start(lane)
        }
      }
      // Deliveries to healthy hosts are read first, so that they need not wait until the deliveries to doubtful hosts
      // are read.
      await start(
        ready.filter((lane) => !lane.isDoubtful),
        WINDOW,
      )
      await start(
        ready.filter((lane) => lane.isDoubtful),
        1,
      )
    } finally {
      // The deliveries of these lanes were not read: the database failed, or their blocked hosts still have deliveries
      // to refuse. The lanes are read again.
      for (const lane of unread) {
        lane.stale = true
        this.#rest(lane)
      }
    }
  }

  /**
   * Refuses pending deliveries to the blocked hosts of these lanes, at most `MAX_ROWS_PER_LANE`. Returns the lanes, or no
   * lane if further deliveries must be refused.
   */
  async #refuse(lanes: readonly Lane[]): Promise<readonly Lane[]> {
    if (lanes.length === 0) return lanes
    const ended = await refuseWaiting(
      this.#ctx.db,
      lanes.map((it) => it.id),
      this.#ctx.clock.date(),
    )
    countAbandoned('blocked', ended)
    return ended < MAX_ROWS_PER_LANE ? lanes : []
  }

  /**
   * Reads more deliveries for lanes in the state `sending`, so that a slow delivery to a host does not delay the other
   * deliveries to it.
   */
  async #loadMore(lanes: readonly Lane[]): Promise<void> {
    const some = lanes.filter(
      (it) => it.wantsMore && !this.#isPaused(it) && hostAccess(this.#ctx.rules, it.host) === 'open',
    )
    for (const lane of some) lane.isLoadingMore = true
    try {
      await this.#ctx.loader.load(some, MORE)
    } finally {
      for (const lane of some) lane.isLoadingMore = false
      for (const lane of some) this.#sender.pump(lane)
    }
  }

  #isPaused(lane: Lane): boolean {
    return lane.isPaused(this.#ctx.clock.now())
  }

  /** `sending` → `idle`. A lane with more deliveries is checked after `FLUSH_MS`. */
  #continueOrRest(lane: Lane): void {
    this.#rest(lane)
    if (!lane.stale) return
    this.#urgent.add(lane)
    this.#wakeChecks.resolve()
  }

  #rest(lane: Lane): void {
    if (lane.enter('idle')) this.#checks ??= this.#checkIdleLanes()
  }

  #idleLanes(): Lane[] {
    return this.#leases
      .lanes()
      .filter((lane) => lane.state === 'idle')
      .toArray()
  }

  /**
   * Checks all idle lanes every `CHECK_MS` for new deliveries, and urgent lanes in between. Returns when there are no
   * idle lanes.
   */
  async #checkIdleLanes(): Promise<void> {
    const { clock, log } = this.#ctx
    let next = performance.now() + CHECK_MS
    for (let idle = this.#idleLanes(); idle.length > 0; idle = this.#idleLanes()) {
      const urged = this.#wakeChecks.promise.then(() => clock.sleep(FLUSH_MS))
      await Promise.race([urged, clock.sleep(next - performance.now())])
      this.#wakeChecks = Promise.withResolvers<void>()
      const isTime = performance.now() >= next
      if (isTime) next = performance.now() + CHECK_MS
      const lanes = isTime ? this.#idleLanes() : [...this.#urgent].filter((lane) => lane.state === 'idle')
      this.#urgent.clear()
      for (const lane of lanes) lane.enter('checking')
      try {
        await inBackground(() => this.#check(lanes))
      } catch (error) {
        log.warn({ error, lanes: lanes.length }, 'lanes wait for the database')
        for (const lane of lanes) if (lane.state === 'checking') lane.enter('idle')
        await clock.sleep(PATIENCE_MS)
      }
    }
    this.#checks = undefined
  }

  /** `checking` → `loading` if there are more deliveries, `released` after `KEPT_MS` or if paused, else `idle`. */
  async #check(lanes: readonly Lane[]): Promise<void> {
    if (this.#isStopping) for (const lane of lanes) lane.stale = false
    const expiredAt = performance.now() - KEPT_MS
    const {
      read = [],
      refresh = [],
      release = [],
    } = Object.groupBy(lanes, (lane) => {
      if (lane.stale) return 'read'
      const isDue = this.#isStopping || this.#isPaused(lane) || (lane.idleSince ?? 0) <= expiredAt
      return isDue ? 'release' : 'refresh'
    })
    const kept = await this.#leases.refresh(refresh)
    for (const lane of kept) if (!lane.stale) lane.enter('idle')
    const woken = await this.#leases.release(release)
    await this.#load([...read, ...kept.filter((lane) => lane.stale), ...woken])
  }
}
