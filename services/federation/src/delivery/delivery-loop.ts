/**
 * Processes many host queues concurrently: leases them, sends due deliveries in order, stores results, and releases
 * them.
 *
 * `host-queue-state.rules.ts` has the states of a host queue. One in `sending` belongs to the sender, which returns it
 * when it is empty.
 */
import { fail } from '@murmuration/contracts/kit'
import type { Database } from '@murmuration/db'
import { hostAccess } from '../core/host/hosts.js'
import { MAX_ROWS_PER_HOST_QUEUE, refuseWaiting } from './delivery.store.js'
import type { HostQueue } from './host-queue.js'
import type { Wanted } from './host-queue.store.js'
import { inBackground, Leases } from './leases.js'
import type { Loader } from './loader.js'
import { countAbandoned } from './metrics.js'
import { createSender, type Sender, type SenderContext } from './sender.js'

/**
 * Interval of the checks of idle host queues (hosts without deliveries in this process), for which other processes may
 * have added deliveries.
 */
const CHECK_MS = 250
/** Delay before more deliveries of an idle host queue are read, so that several host queues share one query. */
const RECHECK_MS = 20
/**
 * Time for which the host queue of a host stays leased without deliveries, because the next activity is often sent to
 * the same hosts.
 */
const KEPT_MS = 1_000
/** Longest time that `wake` waits; also the delay after a database error, and for a host whose access is unknown. */
const PATIENCE_MS = 1_000
/**
 * Maximum number of deliveries that are read at once for an idle host queue. For a host that may be down, one delivery
 * is read.
 */
const WINDOW = 30
/** Maximum number of deliveries that are read at once for a host queue with deliveries in flight. */
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
  /** Idle host queues with more due deliveries, which are checked after `RECHECK_MS` instead of `CHECK_MS`. */
  readonly #urgent = new Set<HostQueue>()
  #wakeChecks = Promise.withResolvers<void>()
  /** Promise of the running checks of idle host queues; undefined if there are none. */
  #checks: Promise<void> | undefined
  #isStopping = false

  constructor(ctx: DeliveryLoopContext) {
    this.#ctx = ctx
    this.#leases = new Leases(ctx)
    this.#sender = createSender(ctx, {
      onEmpty: (queue) => this.#continueOrRest(queue),
      onWantsMore: (queue) => {
        inBackground(() => this.#loadMore([queue])).catch((error) =>
          ctx.log.warn({ error }, 'deliveries could not be read'),
        )
      },
    })
  }

  /**
   * Leases the host queues of these hosts and sends their deliveries. Resolves when they are done, at the latest after
   * `PATIENCE_MS`. Unfinished host queues continue.
   */
  async wake(wanted: Wanted): Promise<void> {
    if (this.#isStopping) throw fail('unavailable', 'This process is stopping', { retryAfter: 1 })
    const busy = (await inBackground(() => this.#take(wanted))).filter((queue) => !queue.isDone)
    if (busy.length === 0) return
    await Promise.race([Promise.all(busy.map((queue) => queue.whenDone())), this.#ctx.clock.sleep(PATIENCE_MS)])
  }

  /** Finishes deliveries in flight, stores their results and releases all host queues. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#sender.stop()
    const end = performance.now() + STOP_MS
    for (const queue of this.#leases.queues()) this.#sender.pump(queue)
    while (this.#leases.size && performance.now() < end) {
      await this.#ctx.ledger.flush()
      await Promise.race([this.#checks, this.#ctx.clock.sleep(20)])
    }
    this.#leases.stop()
  }

  async #take(wanted: Wanted): Promise<HostQueue[]> {
    const queues = await this.#leases.claim(wanted)
    // A host queue that is neither idle nor sending was marked as stale by `claim`, so its deliveries are read again
    // later.
    await Promise.all([
      this.#load(queues.filter((queue) => queue.state === 'idle')),
      this.#loadMore(queues.filter((queue) => queue.wantsMore)),
    ])
    return queues
  }

  /**
   * Loads the due deliveries of idle or checked host queues; the state of each becomes `loading` and then
   * `sending`.
   */
  async #load(queues: readonly HostQueue[]): Promise<void> {
    const unread = new Set(queues.filter((queue) => queue.enter('loading')))
    try {
      const {
        unknown = [],
        open = [],
        blocked = [],
      } = Object.groupBy(unread, (it) => hostAccess(this.#ctx.rules, it.host))
      await this.#leases.postpone(unknown, new Date(this.#ctx.clock.now() + PATIENCE_MS))
      const ready = [...open, ...(await this.#refuse(blocked))]
      const start = async (some: readonly HostQueue[], max: number): Promise<void> => {
        await this.#ctx.loader.load(
          some.filter((queue) => !this.#isPaused(queue)),
          max,
        )
        for (const queue of some) {
          unread.delete(queue)
          // The host queue of a paused host is not read. It is released, which stores the end of the pause as its due
          // time.
          if (this.#isPaused(queue)) queue.stale = false
          this.#sender.start(queue)
        }
      }
      // Deliveries to healthy hosts are read first, so that they need not wait until the deliveries to doubtful hosts
      // are read.
      await start(
        ready.filter((queue) => !queue.isDoubtful),
        WINDOW,
      )
      await start(
        ready.filter((queue) => queue.isDoubtful),
        1,
      )
    } finally {
      // The deliveries of these host queues were not read: the database failed, or their blocked hosts still have
      // deliveries to refuse. They are read again.
      for (const queue of unread) {
        queue.stale = true
        this.#rest(queue)
      }
    }
  }

  /**
   * Refuses pending deliveries to the blocked hosts of these host queues, at most `MAX_ROWS_PER_HOST_QUEUE`. Returns
   * the host queues, or none if further deliveries must be refused.
   */
  async #refuse(queues: readonly HostQueue[]): Promise<readonly HostQueue[]> {
    if (queues.length === 0) return queues
    const ended = await refuseWaiting(
      this.#ctx.db,
      queues.map((it) => it.id),
      this.#ctx.clock.date(),
    )
    countAbandoned('blocked', ended)
    return ended < MAX_ROWS_PER_HOST_QUEUE ? queues : []
  }

  /**
   * Reads more deliveries for host queues in the state `sending`, so that a slow delivery to a host does not delay the
   * other deliveries to it.
   */
  async #loadMore(queues: readonly HostQueue[]): Promise<void> {
    const some = queues.filter(
      (it) => it.wantsMore && !this.#isPaused(it) && hostAccess(this.#ctx.rules, it.host) === 'open',
    )
    for (const queue of some) queue.isLoadingMore = true
    try {
      await this.#ctx.loader.load(some, MORE)
    } finally {
      for (const queue of some) queue.isLoadingMore = false
      for (const queue of some) this.#sender.pump(queue)
    }
  }

  #isPaused(queue: HostQueue): boolean {
    return queue.isPaused(this.#ctx.clock.now())
  }

  /** `sending` → `idle`. A host queue with more deliveries is checked after `RECHECK_MS`. */
  #continueOrRest(queue: HostQueue): void {
    this.#rest(queue)
    if (!queue.stale) return
    this.#urgent.add(queue)
    this.#wakeChecks.resolve()
  }

  #rest(queue: HostQueue): void {
    if (queue.enter('idle')) this.#checks ??= this.#checkIdleQueues()
  }

  #idleQueues(): HostQueue[] {
    return this.#leases
      .queues()
      .filter((queue) => queue.state === 'idle')
      .toArray()
  }

  /**
   * Checks all idle host queues every `CHECK_MS` for new deliveries, and urgent host queues in between. Returns when
   * there are no idle host queues.
   */
  async #checkIdleQueues(): Promise<void> {
    const { clock, log } = this.#ctx
    let next = performance.now() + CHECK_MS
    for (let idle = this.#idleQueues(); idle.length > 0; idle = this.#idleQueues()) {
      const urged = this.#wakeChecks.promise.then(() => clock.sleep(RECHECK_MS))
      await Promise.race([urged, clock.sleep(next - performance.now())])
      this.#wakeChecks = Promise.withResolvers<void>()
      const isTime = performance.now() >= next
      if (isTime) next = performance.now() + CHECK_MS
      const queues = isTime ? this.#idleQueues() : [...this.#urgent].filter((queue) => queue.state === 'idle')
      this.#urgent.clear()
      for (const queue of queues) queue.enter('checking')
      try {
        await inBackground(() => this.#check(queues))
      } catch (error) {
        log.warn({ error, queues: queues.length }, 'host queues wait for the database')
        for (const queue of queues) if (queue.state === 'checking') queue.enter('idle')
        await clock.sleep(PATIENCE_MS)
      }
    }
    this.#checks = undefined
  }

  /** `checking` → `loading` if there are more deliveries, `released` after `KEPT_MS` or if paused, else `idle`. */
  async #check(queues: readonly HostQueue[]): Promise<void> {
    if (this.#isStopping) for (const queue of queues) queue.stale = false
    const expiredAt = performance.now() - KEPT_MS
    const {
      read = [],
      refresh = [],
      release = [],
    } = Object.groupBy(queues, (queue) => {
      if (queue.stale) return 'read'
      const isDue = this.#isStopping || this.#isPaused(queue) || (queue.idleSince ?? 0) <= expiredAt
      return isDue ? 'release' : 'refresh'
    })
    const kept = await this.#leases.refresh(refresh)
    for (const queue of kept) if (!queue.stale) queue.enter('idle')
    const woken = await this.#leases.release(release)
    await this.#load([...read, ...kept.filter((queue) => queue.stale), ...woken])
  }
}
