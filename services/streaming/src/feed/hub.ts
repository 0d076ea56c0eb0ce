/** Subscribes to each live subject once per process and sends its events to connections, in the order of the subject. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Msg, Subscription } from '@murmuration/bus'
import { scopeAllows } from '@murmuration/contracts/scopes'
import { LiveMessage } from '@murmuration/contracts/statuses'
import { metric, registry } from '@murmuration/kernel'
import type { Channel } from '../channel/index.js'
import { type Connection, createGap, deliver, type Gap, type Registry, TOO_SLOW } from '../connection/index.js'
import type { Context } from '../context.js'
import { createRenderer, isStatus, plainPayload } from './render.js'

const leftOut = new metric.Counter({
  name: 'murmuration_streaming_left_out_total',
  help: 'Events that were not streamed because too many waited',
  registers: [registry],
})

interface Listener {
  connection: Connection
  channel: Channel
  /** Reports events that only this listener lost. */
  gap: Gap
}

/** One NATS subject with live events, and its listeners in this process. */
interface Subject {
  subscription: Subscription
  listeners: Set<Listener>
  /** Settles when all events received on the subject so far are sent. Each event waits for the previous event. */
  tail: Promise<void>
  /** Number of events received on the subject that are not sent to the listeners yet. */
  waiting: number
  /**
   * True after MAX_WAITING events waited at once. New events are then dropped until no event waits, so that listeners
   * get only one `gap`.
   */
  full: boolean
  gap: Gap
}

/**
 * Maximum number of events that wait to be rendered and sent (F020), for each public subject and for each connection.
 * Further events of a public subject are left out, and its listeners get a `gap`. A connection is closed if more events
 * of its account wait; the client may resume.
 */
const MAX_WAITING = 1_000
/** Maximum milliseconds that a resuming connection waits for its client to read, and milliseconds between two checks. */
const DRAIN_MS = 10_000
const DRAIN_CHECK_MS = 50

export interface Hub {
  subscribe(connection: Connection, channel: Channel): void
  unsubscribe(connection: Connection, key: string): void
  /** Ends all subscriptions of a connection. */
  leave(connection: Connection): void
  /**
   * Renders an event that was read from the account's log, and sends it to the connection, unless none of its channels
   * accepts the event. Closes a connection that reads too slowly.
   */
  replay(connection: Connection, message: LiveMessage, seq: number): Promise<void>
}

const mayReadNotifications = (connection: Connection): boolean =>
  scopeAllows([...connection.scopes], ['read', 'read:notifications'])

export const createHub = (ctx: Context, grants: Pick<Registry, 'grantOf' | 'renew' | 'of'>): Hub => {
  const subjects = new Map<string, Subject>()
  const renderer = createRenderer(ctx, grants)
  const max = ctx.config.maxBuffered
  const logFailure = (error: unknown) => ctx.log.warn({ error }, 'an event could not be streamed')

  /** The payload of an event for one account; null if the account must not see its entity. */
  const personal = async (message: LiveMessage, viewer: string): Promise<{ payload: string | undefined } | null> => {
    const { id } = message
    const rendered = isStatus(message)
      ? renderer.batched(message.id, viewer)
      : id === undefined
        ? null
        : message.e === 'notification'
          ? renderer.notification(id, viewer)
          : message.e === 'conversation'
            ? renderer.conversation(id, viewer)
            : null
    if (rendered === null) return { payload: plainPayload(message) }
    const payload = await rendered
    return payload === undefined ? null : { payload }
  }

  /** Sends events of an account in the order of its log, even if a later event is rendered first. */
  const inOrder = (
    listener: Listener,
    message: LiveMessage,
    seq: number | null,
    task: Promise<{ payload: string | undefined } | null>,
  ): void => {
    const { connection, channel } = listener
    if (connection.waiting >= MAX_WAITING) {
      leftOut.inc()
      connection.transport.close(TOO_SLOW, 'too much at once, reconnect and resume')
      return
    }
    connection.waiting++
    connection.tail = connection.tail
      .then(async () => {
        const made = await task
        if (made) deliver(connection, { stream: channel.stream, event: message.e, payload: made.payload, seq }, max)
      })
      .catch((error) => {
        logFailure(error)
        connection.gap.report()
      })
      .finally(() => connection.waiting--)
  }

  /**
   * Renders an event of an account once, and sends it to all listeners of the account whose channel accepts the event.
   */
  const receivePersonal = (message: LiveMessage, seq: number | null, listeners: readonly Listener[]): void => {
    const receivers = listeners.filter(
      (one) => one.channel.accepts(message) && (message.e !== 'notification' || mayReadNotifications(one.connection)),
    )
    const viewer = receivers[0]?.connection.viewerId
    if (viewer === undefined) return
    const task = personal(message, viewer)
    task.catch(() => undefined)
    for (const listener of receivers) inOrder(listener, message, seq, task)
  }

  /**
   * Starts rendering a public event now. The events of a subject are sent in order, because a `delete` must not
   * overtake the status that it removes.
   */
  const receivePublic = (message: LiveMessage, entry: Subject): void => {
    const receivers = [...entry.listeners].filter((one) => one.channel.accepts(message))
    if (receivers.length === 0) return
    if (entry.waiting >= MAX_WAITING) entry.full = true
    if (entry.full) {
      leftOut.inc()
      return
    }
    const surface = receivers[0]?.channel.surface ?? 'public'
    const rendering = isStatus(message)
      ? renderer.status(
          message.id,
          surface,
          receivers.map((one) => one.connection.viewerId),
        )
      : null
    rendering?.catch(() => undefined)
    const send = async (): Promise<void> => {
      const rendered = await rendering
      for (const { connection, channel, gap } of receivers) {
        if (!connection.channels.has(channel.key)) continue
        const payload = rendered ? rendered.texts.get(connection.viewerId) : plainPayload(message)
        if (rendered?.lost.has(connection.viewerId)) gap.report()
        else if (payload !== undefined)
          deliver(connection, { stream: channel.stream, event: message.e, payload, seq: null }, max)
      }
    }
    entry.waiting++
    entry.tail = entry.tail
      .then(send)
      .catch((error) => {
        logFailure(error)
        // If the subject is full, the code below sends one `gap` when no event waits.
        if (!entry.full) entry.gap.report()
      })
      .then(() => {
        if (--entry.waiting > 0 || !entry.full) return
        entry.full = false
        entry.gap.report()
      })
  }

  /** Sends `gap` to the listeners of a subject, so that their clients load the timeline again. */
  const sendGap = (listeners: Iterable<Listener>): void => {
    for (const { connection, channel } of listeners)
      deliver(connection, { stream: channel.stream, event: 'gap', payload: undefined, seq: null }, max)
  }

  /** Callback for messages of a subject. `seq.` subjects carry events of one account with their position in its log. */
  const receive = (subject: string) => (error: Error | null, raw: Msg) => {
    const entry = subjects.get(subject)
    if (error || !entry?.listeners.size) return
    const parsed = LiveMessage.safeParse(raw.json())
    if (!parsed.success) return
    if (subject.startsWith('seq.'))
      receivePersonal(parsed.data, Number(raw.headers?.get('Nats-Sequence') || 0) || null, [...entry.listeners])
    else receivePublic(parsed.data, entry)
  }

  /**
   * Removes the listeners that a connection has for a channel. Unsubscribes from NATS subjects that have no listener
   * left.
   */
  const release = (connection: Connection, channel: Channel): void => {
    for (const subject of channel.subjects) {
      const entry = subjects.get(subject)
      if (!entry) continue
      for (const listener of entry.listeners)
        if (listener.connection === connection && listener.channel === channel) {
          entry.listeners.delete(listener)
          listener.gap.drop()
        }
      if (entry.listeners.size === 0) {
        entry.subscription.unsubscribe()
        entry.gap.drop()
        subjects.delete(subject)
      }
    }
  }

  const leave = (connection: Connection): void => {
    for (const channel of connection.channels.values()) release(connection, channel)
    connection.channels.clear()
    connection.gap.drop()
  }

  /** Waits until a client has read enough for further events. False if it has not after DRAIN_MS. */
  const isDrained = async ({ transport, channels }: Connection): Promise<boolean> => {
    const until = performance.now() + DRAIN_MS
    while (transport.buffered() > max && channels.size > 0 && performance.now() < until) await pause(DRAIN_CHECK_MS)
    return transport.buffered() <= max
  }

  return {
    subscribe(connection, channel) {
      if (connection.channels.has(channel.key)) return
      connection.channels.set(channel.key, channel)
      for (const subject of channel.subjects) {
        let entry = subjects.get(subject)
        if (!entry) {
          const subscription = ctx.nc.subscribe(subject, { callback: receive(subject) })
          const listeners = new Set<Listener>()
          const gap = createGap(() => sendGap(listeners))
          entry = { subscription, listeners, tail: Promise.resolve(), waiting: 0, full: false, gap }
          subjects.set(subject, entry)
        }
        const listener: Listener = { connection, channel, gap: createGap(() => sendGap([listener])) }
        entry.listeners.add(listener)
      }
    },
    unsubscribe(connection, key) {
      const channel = connection.channels.get(key)
      if (!channel) return
      connection.channels.delete(key)
      release(connection, channel)
    },
    leave,
    async replay(connection, message, seq) {
      const receivers = (): Channel[] =>
        message.e === 'notification' && !mayReadNotifications(connection)
          ? []
          : [...connection.channels.values()].filter(({ surface, accepts }) => surface === 'user' && accepts(message))
      // A closed connection has no channels, so that the rest of the log is not rendered for it.
      if (receivers().length === 0) return
      const made = await personal(message, connection.viewerId)
      if (!made) return
      if (!(await isDrained(connection))) {
        connection.transport.close(TOO_SLOW, 'too slow, reconnect and resume')
        leave(connection)
        return
      }
      for (const { stream } of receivers())
        connection.transport.send({ stream, event: message.e, payload: made.payload, seq })
    },
  }
}
