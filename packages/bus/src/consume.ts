/** Processes the messages of a durable consumer: several at once, with delays between tries, and a dead letter after the last. */
import { type ConsumerMessages, type JetStreamClient, type JsMsg, jetstream } from '@nats-io/jetstream'
import { type NatsConnection, TimeoutError } from '@nats-io/transport-node'
import { sizeOf } from './event-batch.js'
import { isMissing } from './missing.js'
import { isDisconnected } from './parts.js'

export interface WorkOptions {
  stream: string
  durable: string
  /** Maximum number of messages that are handled concurrently. An event batch counts as the number of its events. */
  concurrency: number
  /** Seconds from a failed try to the next one, by number of failed tries. The last value repeats. */
  delays: readonly number[]
  /** Maximum number of tries of a message. A message that fails the last one becomes a dead letter. */
  times: number
  ackWaitMs: number
  /**
   * Handles the message. `free` releases the worker slot of the message while its handler still runs. `stopping` is
   * aborted when the worker stops. `work` throws ReturnToQueue for a message that was not handled.
   */
  work(message: JsMsg, free: () => void, stopping: AbortSignal): Promise<void>
  /**
   * Records that this delivery ended in an orderly way: its handler failed, or the worker stopped. A redelivery without
   * such a record means that the process crashed or lost its connection. `reported` is called before the message is
   * returned to the bus.
   */
  reported?(message: JsMsg): Promise<void>
  /** Stores the message as a dead letter. The message is removed from the queue only when this promise resolves. */
  deadLetter(message: JsMsg, error: unknown): Promise<void>
  /** True when another try of the message cannot succeed. */
  isPermanent(error: unknown): boolean
  /** Seconds until the next try that the error requests (`retryAfter`); undefined if it requests none. */
  delayOf?(error: unknown): number | undefined
  onTrouble(error: unknown): void
  /** `onMissing` is called when the consumer or its stream is missing. */
  onMissing?(): void
  /** Milliseconds without progress after which the worker counts as stuck. If it is 0 or absent, a worker never counts as stuck. */
  stuckAfterMs?: number
}

export interface Worker {
  /** Number of worker slots in use. A message uses one slot, an event batch one per event. */
  inHand(): number
  /**
   * Reason why the worker is stuck, or null. A worker is stuck after `stuckAfterMs` in which every slot was in use and
   * no handler ended. With a free slot, it is stuck if the connected bus sent neither a message nor a heartbeat nor a
   * refusal in that time. An idle worker receives heartbeats (`heartbeatMs`).
   */
  stuck(): string | null
  /**
   * Stops pulling and waits at most `ms` milliseconds for running handlers. Messages that are not handled by then are
   * returned to the bus.
   */
  stop(ms: number): Promise<void>
}

/**
 * Minimum number of messages that are fetched before a worker slot is free for them. The number is low, because NATS
 * redelivers fetched messages that send no heartbeat within the ack wait.
 */
const MIN_WAITING = 8
/**
 * The next messages are fetched when this fraction of the fetched ones is left. Each fetch is a request to the server.
 * The client's default of 3/4 would fetch constantly.
 */
const ASK_AT = 1 / 4

/** Milliseconds after which a pull request expires, whether messages arrived or not. */
const EXPIRES_MS = 600_000
/**
 * Milliseconds between two heartbeats of the NATS server while a pull waits for messages. After two missed heartbeats
 * the client pulls again. A lost connection, a deleted consumer and a deleted stream are noticed at once without
 * heartbeats. With 200 consumers in the processes of `npm start`, heartbeats and expired pulls are most of the messages
 * while nobody uses the product.
 *
 * The client requests a heartbeat at least every 30 seconds. In a cluster, a pull may be lost with a member to which
 * the client is not connected, or while its consumer has no leader. Therefore heartbeats are more frequent in a cluster.
 */
const HEARTBEAT_MS = { single: 30_000, cluster: 10_000 }

/** Milliseconds between heartbeats. A worker that counts as stuck sooner receives them more often. */
export const heartbeatMs = (isCluster: boolean, stuckAfterMs = 0): number => {
  const usual = isCluster ? HEARTBEAT_MS.cluster : HEARTBEAT_MS.single
  return stuckAfterMs === 0 ? usual : Math.max(1_000, Math.min(usual, Math.floor(stuckAfterMs / 3)))
}

/**
 * Notices of the client that the server does not have its pull. After them and after a reconnection, the client asks for
 * its consumer once. If that fails, for example because the stream has no leader yet, the client asks again only after
 * `EXPIRES_MS`. Therefore the worker ends the pull and starts another.
 */
const PULL_LOST: ReadonlySet<string> = new Set(['heartbeats_missed', 'no_responders'])

/**
 * Maximum number of deliveries of a message in addition to its maximum number of tries. They are for processes that
 * return the message while they stop, or crash while they handle it. After these deliveries, the message becomes a dead
 * letter without a further try.
 */
export const SPARE_DELIVERIES = 16

/** Seconds until the redelivery of a message that a stopping process did not finish. */
const AFTER_STOP = 5

/** Milliseconds that a stopping worker waits for `reported` of the messages that it returns to the bus. */
const GIVE_BACK_MS = 2_000

/** Reason of the dead letter of a message that used up its deliveries without a result. */
class NeverFinished extends Error {
  override readonly name = 'never-finished'
}

/** Thrown by `work` to return a message to the queue without handling it. */
export class ReturnToQueue extends Error {
  override readonly name = 'give-back'
  readonly delay: number
  readonly isReported: boolean
  /**
   * @param delay seconds until the next delivery
   * @param isReported true records an orderly end of the delivery; false leaves a suspect message suspect
   */
  constructor(delay: number, isReported: boolean) {
    super('the message was given back without a try')
    this.delay = delay
    this.isReported = isReported
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Returns a message to the bus for redelivery after `seconds`. With `isReported`, first records that the delivery ended
 * in an orderly way. Without that record, the message becomes or stays suspect.
 */
const giveBack = async (message: JsMsg, options: WorkOptions, seconds: number, isReported = true): Promise<void> => {
  if (isReported)
    try {
      await options.reported?.(message)
    } catch (error) {
      options.onTrouble(error)
    }
  // The delay is in whole milliseconds. The server redelivers at once if it cannot parse the delay as an integer.
  message.nak(Math.round(seconds * 1_000))
}

const ackOrNak = async (
  message: JsMsg,
  options: WorkOptions,
  free: () => void,
  stopping: AbortSignal,
): Promise<void> => {
  const beat = setInterval(() => message.working(), options.ackWaitMs / 3)
  try {
    if (message.info.deliveryCount >= options.times + SPARE_DELIVERIES)
      throw new NeverFinished(`not finished in ${message.info.deliveryCount - 1} deliveries`)
    await options.work(message, free, stopping)
    message.ack()
  } catch (error) {
    const tries = message.info.deliveryCount
    if (error instanceof ReturnToQueue) {
      await giveBack(message, options, error.delay, error.isReported)
    } else if (options.isPermanent(error) || tries >= options.times) {
      try {
        await options.deadLetter(message, error)
        message.term('dead')
      } catch (storeError) {
        options.onTrouble(storeError)
        // This end is not reported, so that a message which crashed processes keeps its count and is not handled again.
        await giveBack(message, options, 60, false)
      }
    } else {
      const planned = options.delays[Math.min(tries - 1, options.delays.length - 1)] ?? 1
      const wait = Math.max(planned, options.delayOf?.(error) ?? 0)
      await giveBack(message, options, wait * (0.9 + Math.random() * 0.2))
    }
  } finally {
    clearInterval(beat)
  }
}

/**
 * Starts a worker. Until the worker is stopped, it survives a missing stream, a lost connection and a server without
 * its data.
 */
export const startWorker = (nc: NatsConnection, options: WorkOptions): Worker => {
  const js: JetStreamClient = jetstream(nc)
  const works = new Map<JsMsg, Promise<void>>()
  const stopping = new AbortController()
  const stopCalled = Promise.withResolvers<void>()
  let inHand = 0
  let stopped = false
  /** Number of pulls since the bus last sent a message or a heartbeat. */
  let failures = 0
  /** Time of the last progress (`performance.now()`): a message was received, a handler ended, or the bus sent a heartbeat. */
  let movedAt = performance.now()
  const moved = (): void => {
    movedAt = performance.now()
  }
  const returned = new Set<Promise<void>>()
  let pulling: ConsumerMessages | undefined
  let freed: (() => void) | undefined

  const take = (message: JsMsg): void => {
    failures = 0
    moved()
    let size = sizeOf(message)
    inHand += size
    const free = (): void => {
      moved()
      inHand -= size
      size = 0
      freed?.()
    }
    const done = ackOrNak(message, options, free, stopping.signal).finally(() => {
      works.delete(message)
      free()
    })
    works.set(message, done)
  }

  /** Ends the current pull, so that `loop` starts a new one. Messages that were received before are still handled. */
  const endPull = (): void => {
    pulling?.close().catch(() => undefined)
  }

  /**
   * Ends a lost pull. Each heartbeat of the bus counts as progress of the worker while a worker slot is free.
   *
   * While all slots are in use, the client also misses heartbeats, because its next pull waits for a free slot. It then
   * queues another pull at each missed heartbeat. Together, these pulls would fetch far more messages than the worker
   * can handle within the ack wait.
   */
  const watch = async (messages: ConsumerMessages): Promise<void> => {
    for await (const { type } of messages.status()) {
      if (PULL_LOST.has(type)) endPull()
      if (type !== 'heartbeat') continue
      failures = 0
      if (inHand < options.concurrency) moved()
    }
  }

  /** The server forgets the pulls of a lost connection. */
  const watchConnection = async (): Promise<void> => {
    for await (const { type } of nc.status()) {
      if (stopped) return
      if (type === 'reconnect') endPull()
    }
  }

  const pull = async (): Promise<void> => {
    const consumer = await js.consumers.get(options.stream, options.durable)
    // A pull after `stop` would receive the returned messages again and again, until they count as never finished.
    if (stopped) return
    const ahead = Math.min(options.concurrency, Math.max(MIN_WAITING, Math.ceil(options.concurrency / 4)))
    pulling = await consumer.consume({
      max_messages: ahead,
      threshold_messages: Math.ceil(ahead * ASK_AT),
      expires: EXPIRES_MS,
      idle_heartbeat: heartbeatMs(nc.info?.cluster !== undefined, options.stuckAfterMs),
      abort_on_missing_resource: true,
    })
    watch(pulling).catch(() => undefined)
    if (stopped) endPull()
    for await (const message of pulling) {
      if (stopped) {
        returned.add(giveBack(message, options, 0))
        continue
      }
      take(message)
      while (inHand >= options.concurrency && !stopped)
        await new Promise<void>((resolve) => {
          freed = resolve
        })
    }
  }

  const loop = async (): Promise<void> => {
    while (!stopped) {
      // A pull that ends before it receives anything counts as a failure, so that the next one waits longer.
      failures++
      try {
        await pull()
      } catch (error) {
        if (!(error instanceof TimeoutError)) moved()
        if (isMissing(error)) options.onMissing?.()
        if (!stopped && (failures === 10 || failures % 60 === 0)) options.onTrouble(error)
      }
      if (!stopped) await Promise.race([stopCalled.promise, pause(Math.min(50 * 2 ** failures, 5_000))])
    }
  }
  watchConnection().catch(() => undefined)
  const running = loop()

  return {
    inHand: () => inHand,
    stuck() {
      const { stuckAfterMs = 0, durable, concurrency } = options
      // While the bus is disconnected, the worker does not count as stuck. Its time without progress begins at the
      // reconnection.
      if (isDisconnected(nc)) moved()
      const quietMs = performance.now() - movedAt
      if (stopped || stuckAfterMs === 0 || quietMs < stuckAfterMs) return null
      const cause = inHand >= concurrency ? 'no message ended' : 'nothing came from the bus'
      return `${durable}: ${cause} for ${Math.round(quietMs / 1_000)} seconds`
    },
    async stop(ms) {
      stopped = true
      stopping.abort()
      stopCalled.resolve()
      freed?.()
      const close = pulling?.close().catch(() => undefined)
      await Promise.race([Promise.all([...works.values(), running, close]), pause(ms)])
      const left = [...works.keys()].map((message) => giveBack(message, options, AFTER_STOP))
      await Promise.race([Promise.all([...returned, ...left]), pause(GIVE_BACK_MS)])
    },
  }
}
