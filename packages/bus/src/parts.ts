/** Answers, also those longer than one message: parts to one inbox of the connection, the first of which says how many there are. */
import {
  createInbox,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NoRespondersError,
  TimeoutError,
} from '@nats-io/transport-node'

/** Bytes of one part; the server's limit is 1 MiB. */
const PART = 900_000
const MAX_PARTS = 64
const PARTS = 'Parts'

/** Somebody who waits for messages to one token. */
export interface Waiting {
  readonly subject: string
  /** True when nothing more is expected. */
  hear(message: Msg): boolean
  /** Nobody will answer any more. */
  lose(error: Error): void
}

/** One subscription for all questions of a connection, as the client has for its own single answers. */
interface Mailbox {
  readonly inbox: string
  readonly waiting: Map<string, Waiting>
  asked: number
  /** The server is away; what is published now waits for it, and nobody would wait for that. */
  away: boolean
}
const mailboxes = new WeakMap<NatsConnection, Mailbox>()

const deliver = (mailbox: Mailbox, message: Msg): void => {
  const token = message.subject.slice(mailbox.inbox.length + 1)
  const waiting = mailbox.waiting.get(token)
  if (!waiting) return
  if (message.data.length === 0 && message.headers?.code === 503) {
    mailbox.waiting.delete(token)
    waiting.lose(new NoRespondersError(waiting.subject))
  } else if (waiting.hear(message)) mailbox.waiting.delete(token)
}

/** True while the connection has no server. */
export const isAway = (nc: NatsConnection): boolean => mailboxes.get(nc)?.away === true

/** The connection lost its server, or found one. An answer that was on its way when it was lost never comes (F016). */
export const setAway = (nc: NatsConnection, away: boolean): void => {
  const mailbox = mailboxes.get(nc)
  if (!mailbox) return
  mailbox.away = away
  if (!away) return
  for (const waiting of mailbox.waiting.values()) waiting.lose(new TimeoutError())
  mailbox.waiting.clear()
}

/** Opens the mailbox of a connection; replies reach `prefix`, which its login may hear. */
export const openMailbox = (nc: NatsConnection, prefix: string): void => {
  const mailbox: Mailbox = { inbox: createInbox(prefix), waiting: new Map(), asked: 0, away: false }
  mailboxes.set(nc, mailbox)
  nc.subscribe(`${mailbox.inbox}.*`, {
    callback: (error, message) => {
      if (!error) deliver(mailbox, message)
    },
  })
}

/** Publishes what is answered to a token of its own. Gives what makes nobody wait for it any more. */
export const publishAndWait = (
  nc: NatsConnection,
  payload: Uint8Array | string,
  h: MsgHdrs,
  waiting: Waiting,
): (() => void) => {
  const mailbox = mailboxes.get(nc)
  if (!mailbox) throw new Error('the connection was not made by connectBus')
  const token = (mailbox.asked++).toString(36)
  mailbox.waiting.set(token, waiting)
  const forget = () => void mailbox.waiting.delete(token)
  try {
    nc.publish(waiting.subject, payload, { reply: `${mailbox.inbox}.${token}`, headers: h })
  } catch (error) {
    forget()
    throw error
  }
  return forget
}

/**
 * Asks a question; resolves with all parts of the answer in order. One timer and one map entry per question: the client's
 * own way makes an error object with its stack for each, whether it is needed or not.
 */
export const askInParts = (
  nc: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  options: { headers: MsgHdrs; timeoutMs: number },
): Promise<Msg[]> =>
  new Promise((resolve, reject) => {
    const parts: Msg[] = []
    let expected = 1
    let timer: NodeJS.Timeout | undefined
    const forget = publishAndWait(nc, payload, options.headers, {
      subject,
      hear(message) {
        if (parts.length === 0) expected = Math.min(Number(message.headers?.get(PARTS) || 1), MAX_PARTS)
        if (parts.push(message) < expected) return false
        clearTimeout(timer)
        resolve(parts)
        return true
      },
      lose(error) {
        clearTimeout(timer)
        reject(error)
      },
    })
    timer = setTimeout(() => {
      forget()
      reject(new TimeoutError())
    }, options.timeoutMs)
  })

/** Answers in as many parts as it takes. */
export const respondInParts = (message: Msg, bytes: Uint8Array, h: MsgHdrs | undefined): void => {
  const parts = Math.ceil(bytes.length / PART)
  const first = parts > 1 ? (h ?? headers()) : h
  if (parts > 1) first?.set(PARTS, String(parts))
  message.respond(bytes.subarray(0, PART), first ? { headers: first } : undefined)
  for (let part = 1; part < parts; part++) message.respond(bytes.subarray(part * PART, (part + 1) * PART))
}
