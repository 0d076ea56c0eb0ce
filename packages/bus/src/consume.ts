/** Working a durable consumer: as many messages at once as there are hands, back-off, and a dead letter after the last try. */
import { type Consumer, type ConsumerMessages, type JetStreamClient, type JsMsg, jetstream } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { sizeOf } from './bundle.js'

export interface WorkOptions {
  stream: string
  durable: string
  /** Messages worked at once; of those that carry several events, the events. */
  concurrency: number
  /** Seconds before each further try; the last repeats. */
  delays: readonly number[]
  /** Tries in all. */
  times: number
  ackWaitMs: number
  /** `free` gives the hand to others before the work is over, which stays in this process until it is. */
  work(message: JsMsg, free: () => void): Promise<void>
  /** Stores the message as dead. Only when this resolves is it taken off the queue. */
  bury(message: JsMsg, error: unknown): Promise<void>
  /** True when trying again cannot help. */
  hopeless(error: unknown): boolean
  /** Seconds that the failure itself asks to wait, if it does. */
  delayOf?(error: unknown): number | undefined
  onTrouble(error: unknown): void
  /** Called after the effect and before the acknowledgement, for fault injection. */
  afterEffect?(message: JsMsg): Promise<void> | void
}

export interface Worker {
  /** Messages that hold a hand now, or events. */
  inHand(): number
  /** Stops pulling and resolves when what was in hand is done or `ms` passed; the rest is given back. */
  stop(ms: number): Promise<void>
}

/** Fetched ahead for hands that become free. Few, since nobody says of them that they are being worked on. */
const MIN_WAITING = 8
/** More are asked for when only this part of them is left: each asking is a message, and the usual three quarters ask all the time. */
const ASK_AT = 1 / 4

/** Each pull is answered after this long also when no message was there. */
const EXPIRES_MS = 30_000
/**
 * The server says this often that a pull still waits; after two missed ones it is asked again. A lost connection, a deleted
 * consumer and a deleted stream are noticed at once without it. A hundred consumers in a process make each one cost something.
 */
const HEARTBEAT_MS = 5_000

/**
 * Hand-outs beyond the tries of a message: whoever is stopped gives it back, and whoever dies leaves it. After the last of
 * them the server gives it out no more, so with that one it is buried unseen.
 */
export const SPARE_DELIVERIES = 6

/** Whoever had the message ended before the work did, each time. */
class NeverFinished extends Error {
  override readonly name = 'never-finished'
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const settle = async (message: JsMsg, options: WorkOptions, free: () => void): Promise<void> => {
  const beat = setInterval(() => message.working(), options.ackWaitMs / 3)
  try {
    if (message.info.deliveryCount >= options.times + SPARE_DELIVERIES)
      throw new NeverFinished(`not finished in ${message.info.deliveryCount - 1} deliveries`)
    await options.work(message, free)
    await options.afterEffect?.(message)
    message.ack()
  } catch (error) {
    const tries = message.info.deliveryCount
    if (options.hopeless(error) || tries >= options.times) {
      try {
        await options.bury(message, error)
        message.term('dead')
      } catch (buryError) {
        options.onTrouble(buryError)
        message.nak(60_000)
      }
    } else {
      const planned = options.delays[Math.min(tries - 1, options.delays.length - 1)] ?? 1
      const wait = Math.max(planned, options.delayOf?.(error) ?? 0)
      // Whole milliseconds: the server reads the delay as an integer and repeats at once when it cannot.
      message.nak(Math.round(wait * 1_000 * (0.9 + Math.random() * 0.2)))
    }
  } finally {
    clearInterval(beat)
  }
}

/** Starts working; survives a missing stream, a lost connection and a wiped server until stopped. */
export const startWorker = (nc: NatsConnection, options: WorkOptions): Worker => {
  const js: JetStreamClient = jetstream(nc)
  const works = new Set<Promise<void>>()
  let inHand = 0
  let stopped = false
  let pulling: ConsumerMessages | undefined
  let freed: (() => void) | undefined
  const stopping = Promise.withResolvers<void>()

  const take = (message: JsMsg): void => {
    let size = sizeOf(message)
    inHand += size
    const free = (): void => {
      inHand -= size
      size = 0
      freed?.()
    }
    const done = settle(message, options, free).finally(() => {
      works.delete(done)
      free()
    })
    works.add(done)
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
    for await (const message of pulling) {
      if (stopped) {
        message.nak()
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
      try {
        await pull(await js.consumers.get(options.stream, options.durable))
        failures = 0
      } catch (error) {
        failures++
        if (!stopped && (failures === 10 || failures % 60 === 0)) options.onTrouble(error)
      }
      if (!stopped) await Promise.race([stopping.promise, pause(Math.min(100 * 2 ** failures, 5_000))])
    }
  }
  const running = loop()

  return {
    inHand: () => inHand,
    async stop(ms) {
      stopped = true
      stopping.resolve()
      freed?.()
      const close = pulling?.close().catch(() => undefined)
      await Promise.race([Promise.all([...works, running, close]), pause(ms)])
    },
  }
}
