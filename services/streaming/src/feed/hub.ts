/** From live subjects to connections: one bus subscription per subject and node, and order kept within each person's log. */
import type { Msg, Subscription } from '@murmuration/bus'
import { scopeAllows } from '@murmuration/contracts/scopes'
import { LiveMessage } from '@murmuration/contracts/statuses'
import { type Connection, deliver, TOO_SLOW } from '../connection/connection.js'
import type { Grants } from '../connection/registry.js'
import type { Context } from '../context.js'
import type { Channel } from '../domain/channel.js'
import { leftOut } from './figures.js'
import { createGap, type Gap } from './gap.js'
import { createRenderer, isStatus, plainPayload } from './render.js'

interface Listener {
  connection: Connection
  channel: Channel
}

/** One live subject and who listens to it here. */
interface Heard {
  subscription: Subscription
  listeners: Set<Listener>
  /** The end of the line of what is being sent. */
  turn: Promise<void>
  /** Events in that line. */
  waiting: number
  /** Too much came: nothing more is taken until the line is empty, so that it is empty soon and the gap is one. */
  full: boolean
  gap: Gap
}

/**
 * Events of one open subject, or of one person, that may wait to be rendered and sent. Of a subject more are left out,
 * and its listeners are told with `gap` to load the timeline anew; a person is cut off and resumes (F020).
 */
const MOST_WAITING = 1_000

export interface Hub {
  subscribe(connection: Connection, channel: Channel): void
  unsubscribe(connection: Connection, key: string): void
  leave(connection: Connection): void
  /** Renders and sends what was read from a person's log. */
  replay(connection: Connection, message: LiveMessage, seq: number): Promise<void>
}

const hearsNotifications = (connection: Connection): boolean =>
  scopeAllows([...connection.scopes], ['read', 'read:notifications'])

export const createHub = (ctx: Context, grants: Grants): Hub => {
  const subjects = new Map<string, Heard>()
  const renderer = createRenderer(ctx, grants)
  const max = ctx.config.maxBuffered
  const trouble = (error: unknown) => ctx.log.warn({ error }, 'an event could not be streamed')

  /** The payload of one person's event; null when there is nothing to send. */
  const personal = async (message: LiveMessage, viewer: string): Promise<{ payload: string | undefined } | null> => {
    const { id } = message
    const rendered = isStatus(message)
      ? renderer.gathered(message.id, viewer)
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

  /** Sends in the order of the log, however long each takes to render. */
  const inOrder = (
    listener: Listener,
    message: LiveMessage,
    seq: number | null,
    task: Promise<{ payload: string | undefined } | null>,
  ): void => {
    const { connection, channel } = listener
    if (connection.waiting >= MOST_WAITING) {
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
        trouble(error)
        connection.gap.owe()
      })
      .finally(() => connection.waiting--)
  }

  const hearPersonal = (message: LiveMessage, seq: number | null, listeners: readonly Listener[]): void => {
    const heard = listeners.filter(
      (one) => one.channel.accepts(message) && (message.e !== 'notification' || hearsNotifications(one.connection)),
    )
    const viewer = heard[0]?.connection.viewerId
    if (viewer === undefined) return
    const task = personal(message, viewer)
    task.catch(() => undefined)
    for (const listener of heard) inOrder(listener, message, seq, task)
  }

  /** Renders at once and sends in turn: a removal must not overtake the status that it removes. */
  const hearOpen = (message: LiveMessage, entry: Heard): void => {
    const heard = [...entry.listeners].filter((one) => one.channel.accepts(message))
    if (heard.length === 0) return
    if (entry.waiting >= MOST_WAITING) entry.full = true
    if (entry.full) {
      leftOut.inc()
      return
    }
    const surface = heard[0]?.channel.surface ?? 'public'
    const rendering = isStatus(message)
      ? renderer.status(
          message.id,
          surface,
          heard.map((one) => one.connection.viewerId),
        )
      : null
    rendering?.catch(() => undefined)
    const send = async (): Promise<void> => {
      const texts = await rendering
      for (const { connection, channel } of heard) {
        const payload = texts ? texts.get(connection.viewerId) : plainPayload(message)
        if (payload !== undefined && connection.channels.has(channel.key))
          deliver(connection, { stream: channel.stream, event: message.e, payload, seq: null }, max)
      }
    }
    entry.waiting++
    entry.turn = entry.turn
      .then(send)
      .catch((error) => {
        trouble(error)
        // Said with the rest when the line is empty.
        if (!entry.full) entry.gap.owe()
      })
      .then(() => {
        if (--entry.waiting > 0 || !entry.full) return
        entry.full = false
        entry.gap.owe()
      })
  }

  /** Something was left out: whoever listens should look for themselves. */
  const tellGap = (listeners: Iterable<Listener>): void => {
    for (const { connection, channel } of listeners)
      deliver(connection, { stream: channel.stream, event: 'gap', payload: undefined, seq: null }, max)
  }

  const hear = (subject: string) => (error: Error | null, raw: Msg) => {
    const entry = subjects.get(subject)
    if (error || !entry?.listeners.size) return
    const parsed = LiveMessage.safeParse(raw.json())
    if (!parsed.success) return
    if (subject.startsWith('seq.'))
      hearPersonal(parsed.data, Number(raw.headers?.get('Nats-Sequence') || 0) || null, [...entry.listeners])
    else hearOpen(parsed.data, entry)
  }

  const release = (connection: Connection, channel: Channel): void => {
    for (const subject of channel.subjects) {
      const entry = subjects.get(subject)
      if (!entry) continue
      for (const listener of entry.listeners)
        if (listener.connection === connection && listener.channel === channel) entry.listeners.delete(listener)
      if (entry.listeners.size === 0) {
        entry.subscription.unsubscribe()
        entry.gap.drop()
        subjects.delete(subject)
      }
    }
  }

  return {
    subscribe(connection, channel) {
      if (connection.channels.has(channel.key)) return
      connection.channels.set(channel.key, channel)
      for (const subject of channel.subjects) {
        let entry = subjects.get(subject)
        if (!entry) {
          const subscription = ctx.nc.subscribe(subject, { callback: hear(subject) })
          const listeners = new Set<Listener>()
          const gap = createGap(() => tellGap(listeners))
          entry = { subscription, listeners, turn: Promise.resolve(), waiting: 0, full: false, gap }
          subjects.set(subject, entry)
        }
        entry.listeners.add({ connection, channel })
      }
    },
    unsubscribe(connection, key) {
      const channel = connection.channels.get(key)
      if (!channel) return
      connection.channels.delete(key)
      release(connection, channel)
    },
    leave(connection) {
      for (const channel of connection.channels.values()) release(connection, channel)
      connection.channels.clear()
      connection.gap.drop()
    },
    async replay(connection, message, seq) {
      const made = await personal(message, connection.viewerId)
      if (!made) return
      for (const channel of connection.channels.values())
        if (
          channel.surface === 'user' &&
          channel.accepts(message) &&
          (message.e !== 'notification' || hearsNotifications(connection))
        )
          connection.transport.send({ stream: channel.stream, event: message.e, payload: made.payload, seq })
    },
  }
}
