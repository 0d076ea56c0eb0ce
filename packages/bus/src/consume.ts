/** Processes the messages of a durable consumer: several at once, with delays between tries, and a dead letter after the last. */
import { type Consumer, type ConsumerMessages, type JetStreamClient, type JsMsg, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { sizeOf } from './event-batch.js'
import { isMissing } from './missing.js'
import { isAway } from './parts.js'

export interface WorkOptions {
  stream: string
  durable: string
  /** Messages in work at once. An event batch counts as its number of events. */
  concurrency: number
  /** Seconds before each further try. The last value repeats. */
  delays: readonly number[]
  /** Maximum number of tries. */
  times: number
  ackWaitMs: number
  /**
   * Handles the message. `free` releases its worker slot before the work is over. `stopping` is aborted when the worker
   * stops. `work` throws GiveBack for a message that was not handled.
   */
  work(message: JsMsg, free: () => void, stopping: AbortSignal): Promise<void>
  /**
   * Records that this delivery ends with a report: a failed handler, or a stop. A redelivery without such a record
   * means that the process ended or was cut off. `reported` is called before the message is given back.
   */
  reported?(message: JsMsg): Promise<void>
  /** Stores the message as a dead letter. The message is removed from the queue only when this promise resolves. */
  deadLetter(message: JsMsg, error: unknown): Promise<void>
  /** True when another try of the message cannot succeed. */
  isPermanent(error: unknown): boolean
  /** Seconds until the next try that the failure itself requests (`retryAfter`), if any. */
  delayOf?(error: unknown): number | undefined
  onTrouble(error: unknown): void
  /** `onMissing` is called when the consumer or its stream is missing. */
  onMissing?(): void
  /** Milliseconds without progress after which the worker counts as stuck; 0 or absent for never. */
  stuckAfterMs?: number
}

export interface Worker {
  /** Worker slots in use: messages, or events of event batches. */
  inHand(): number
  /**
   * Reason why the worker is stuck, or null. A worker is stuck when, for `stuckAfterMs`, no message ended although
   * every slot is in use, or nothing was received although the bus is connected. An idle worker receives a heartbeat
   * every HEARTBEAT_MS.
   */
  stuck(): string | null
  /**
   * Stops pulling and waits `ms` for the messages in work. Messages that are not finished by then are given back to the
   * bus.
   */
  stop(ms: number): Promise<void>
}

/**
 * Minimum number of messages fetched ahead of free worker slots. The number is low, because no heartbeat is sent for
 * messages fetched ahead.
 */
const MIN_WAITING = 8
/** Fraction of fetched messages left at which more are fetched. Each fetch is a message; the client's default of 3/4 would fetch constantly. */
const ASK_AT = 1 / 4

/** Milliseconds after which a pull ends, also without a message. */
const EXPIRES_MS = 600_000
/**
 * The server sends a heartbeat this often while a pull waits; after two missed ones the client pulls again. A lost
 * connection, a deleted consumer and a deleted stream are noticed at once without heartbeats. With 200 consumers in the
 * processes of `npm start`, heartbeats and expired pulls are most of the messages of an idle server.
 */
const HEARTBEAT_MS = 20_000

/**
 * Deliveries allowed beyond the tries of a message, for processes that give the message back while stopping, or end
 * while working on the message. Because the bus delivers a message no further, the last delivery becomes a dead letter
 * without a try.
 */
export const SPARE_DELIVERIES = 16

/** Seconds until a message that a stopping process had not finished is delivered to another process. */
const AFTER_STOP = 5

/** Milliseconds that a stopping worker waits for `reported` of the messages that it gives back. */
const GIVE_BACK_MS = 2_000

/** Error of a message none of whose deliveries led to a result. */
class NeverFinished extends Error {
  override readonly name = 'never-finished'
}

/** Thrown by `work` for a message that goes back to the queue without a try. */
export class GiveBack extends Error {
  override readonly name = 'give-back'
  readonly delay: number
  readonly isReported: boolean
  /**
   * @param delay seconds until the next delivery
   * @param isReported whether this delivery counts as reported; false keeps a suspect message suspect
   */
  constructor(delay: number, isReported: boolean) {
    super('the message was given back without a try')
    this.delay = delay
    this.isReported = isReported
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Gives a message back for delivery after `seconds`, with a record of it unless it is to stay suspect. */
const giveBack = async (message: JsMsg, options: WorkOptions, seconds: number, isReported = true): Promise<void> => {
  if (isReported)
    try {
      await options.reported?.(message)
    } catch (error) {
      options.onTrouble(error)
    }
  // Whole milliseconds: the server parses the delay as an integer, and redelivers at once when it cannot.
  message.nak(Math.round(seconds * 1_000))
}

const settle = async (message: JsMsg, options: WorkOptions, free: () => void, stopping: AbortSignal): Promise<void> => {
  const beat = setInterval(() => message.working(), options.ackWaitMs / 3)
  try {
    if (message.info.deliveryCount >= options.times + SPARE_DELIVERIES)
      throw new NeverFinished(`not finished in ${message.info.deliveryCount - 1} deliveries`)
    await options.work(message, free, stopping)
    message.ack()
  } catch (error) {
    const tries = message.info.deliveryCount
    if (error instanceof GiveBack) {
      await giveBack(message, options, error.delay, error.isReported)
    } else if (options.isPermanent(error) || tries >= options.times) {
      try {
        await options.deadLetter(message, error)
        message.term('dead')
      } catch (storeError) {
        options.onTrouble(storeError)
        await giveBack(message, options, 60)
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
  /** Time of the last progress (`performance.now()`): a message ended, a free slot took one, or the bus sent a heartbeat. */
  let movedAt = performance.now()
  const moved = (): void => {
    movedAt = performance.now()
  }
  const returned = new Set<Promise<void>>()
  let pulling: ConsumerMessages | undefined
  let freed: (() => void) | undefined

  const take = (message: JsMsg): void => {
    moved()
    let size = sizeOf(message)
    inHand += size
    const free = (): void => {
      moved()
      inHand -= size
      size = 0
      freed?.()
    }
    const done = settle(message, options, free, stopping.signal).finally(() => {
      works.delete(message)
      free()
    })
    works.set(message, done)
  }

  /** Each heartbeat of the bus is progress while a worker slot is free. */
  const watch = async (messages: ConsumerMessages): Promise<void> => {
    for await (const { type } of messages.status())
      if (type !== 'heartbeats_missed' && inHand < options.concurrency) moved()
  }

  const pull = async (consumer: Consumer): Promise<void> => {
    const ahead = Math.min(options.concurrency, Math.max(MIN_WAITING, Math.ceil(options.concurrency / 4)))
    pulling = await consumer.consume({
      max_messages: ahead,
      threshold_messages: Math.ceil(ahead * ASK_AT),
      expires: EXPIRES_MS,
      idle_heartbeat: HEARTBEAT_MS,
      abort_on_missing_resource: true,
    })
    watch(pulling).catch(() => undefined)
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
    for (let failures = 0; !stopped; ) {
      moved()
      try {
        await pull(await js.consumers.get(options.stream, options.durable))
        failures = 0
      } catch (error) {
        failures++
        if (isMissing(error)) options.onMissing?.()
        if (!stopped && (failures === 10 || failures % 60 === 0)) options.onTrouble(error)
      }
      if (!stopped) await Promise.race([stopCalled.promise, pause(Math.min(100 * 2 ** failures, 5_000))])
    }
  }
  const running = loop()

  return {
    inHand: () => inHand,
    stuck() {
      const { stuckAfterMs = 0, durable, concurrency } = options
      // While the bus is disconnected the worker is not stuck. The time counts from the reconnection.
      if (isAway(nc)) moved()
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
