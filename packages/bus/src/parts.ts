/**
 * Requests and responses in several messages. A response larger than one message is sent in parts to the reply subject; the first part
 * contains the number of parts.
 */
import {
  createInbox,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  NoRespondersError,
  TimeoutError,
} from '@nats-io/transport-node'
import { publishCoreMessage } from './core-message.js'
import { acceptedIn, createWatch, type Open, replyToken, type Watch } from './responders.js'

/** Maximum bytes of one part of a response. The limit of the NATS server is 1 MiB per message. */
const PART = 900_000
const MAX_PARTS = 64
/** Maximum bytes of a response. */
export const MAX_RESPONSE = PART * MAX_PARTS
const PARTS = 'Parts'

/** A request for which messages to its reply subject are received. */
export interface Waiting {
  readonly subject: string
  /** A read may be sent again when its responder is lost, and a write may not. */
  readonly kind: 'read' | 'write'
  /** Processes one message. Returns true if it was the last message of the response. */
  receive(message: Msg): boolean
  /** Rejects the request. Called when its response can no longer arrive. */
  lose(error: Error): void
}

/** One subscription for the responses to all requests of a connection. */
interface Mailbox {
  readonly inbox: string
  /** Requests by the last token of their reply subject. */
  readonly waiting: Map<string, Request>
  /** Pings and listing requests to responders, by the last token of their reply subject. */
  readonly asides: Map<string, Aside>
  readonly watch: Watch
  nextToken: number
  /** True while the server connection is lost. Messages published now are buffered, and their responses would arrive too late. */
  away: boolean
}
/** A request that waits for its response. */
interface Request extends Open {
  readonly token: string
  /** Subject of the request: that of the operation, or of one responder. */
  readonly route: string
  readonly waiting: Waiting
}
interface Aside {
  heard(message: Msg): void
  none(): void
}
const mailboxes = new WeakMap<NatsConnection, Mailbox>()

const isNoResponder = (message: Msg): boolean => message.data.length === 0 && message.headers?.code === 503

const deliver = (mailbox: Mailbox, message: Msg): void => {
  const token = message.subject.slice(mailbox.inbox.length + 1)
  const request = mailbox.waiting.get(token)
  if (!request) return deliverAside(mailbox.asides.get(token), message)
  if (isNoResponder(message)) {
    mailbox.waiting.delete(token)
    if (request.route !== request.subject) mailbox.watch.removeRoute(request.route)
    request.waiting.lose(new NoRespondersError(request.subject))
    return
  }
  const acceptedBy = acceptedIn(message)
  request.heardAt = performance.now()
  if (acceptedBy !== null) request.acceptedBy = acceptedBy
  else if (request.waiting.receive(message)) mailbox.waiting.delete(token)
}

const deliverAside = (aside: Aside | undefined, message: Msg): void => {
  // An exception in this callback would end the processing of all messages of the connection.
  try {
    if (isNoResponder(message)) aside?.none()
    else aside?.heard(message)
  } catch {
    // The message is not a reply of a responder of this product, so it is ignored.
  }
}

/** True while the connection has no server. */
export const isDisconnected = (nc: NatsConnection): boolean => mailboxes.get(nc)?.away === true

/**
 * Records that the connection lost its server or connected to one again. A loss fails all open requests, because their
 * responses cannot arrive (F016).
 */
export const setDisconnected = (nc: NatsConnection, away: boolean): void => {
  const mailbox = mailboxes.get(nc)
  if (!mailbox) return
  mailbox.away = away
  if (!away) return
  for (const { waiting } of mailbox.waiting.values()) waiting.lose(new TimeoutError())
  mailbox.waiting.clear()
}

/** Stops sending requests directly to single responders, because the NATS server does not permit it. */
export const stopDirecting = (nc: NatsConnection): void => mailboxes.get(nc)?.watch.stopDirecting()

/**
 * Subscribes to the replies to all requests of a connection. Their subjects begin with `prefix`, to which the login of
 * the connection may subscribe.
 */
export const openMailbox = (nc: NatsConnection, prefix: string): void => {
  const waiting = new Map<string, Request>()
  const asides = new Map<string, Aside>()
  const mailbox: Mailbox = {
    inbox: createInbox(prefix),
    waiting,
    asides,
    watch: createWatch({
      open: () => waiting.values(),
      lose(one, error) {
        const { token } = one as Request
        if (waiting.delete(token)) one.lose(error)
      },
      query(subject, forMs, heard, none) {
        if (mailbox.away || nc.isClosed()) return
        const token = replyToken(mailbox.nextToken++)
        asides.set(token, { heard, none })
        setTimeout(() => asides.delete(token), forMs).unref()
        publishCoreMessage(nc, subject, '', { reply: `${mailbox.inbox}.${token}` })
      },
    }),
    nextToken: 0,
    away: false,
  }
  mailboxes.set(nc, mailbox)
  nc.subscribe(`${mailbox.inbox}.*`, {
    callback: (error, message) => {
      if (!error) deliver(mailbox, message)
    },
  })
}

/** Publishes a request with a reply subject of its own. Returns a function that stops waiting for the response. */
export const publishAndWait = (
  nc: NatsConnection,
  payload: Uint8Array | string,
  h: MsgHdrs,
  waiting: Waiting,
): (() => void) => {
  const mailbox = mailboxes.get(nc)
  if (!mailbox) throw new Error('the connection was not made by connectBus')
  const token = replyToken(mailbox.nextToken++)
  const sentAt = performance.now()
  const { subject, kind, lose } = waiting
  const route = mailbox.watch.route(subject, sentAt)
  mailbox.waiting.set(token, { token, waiting, route, subject, kind, sentAt, heardAt: sentAt, acceptedBy: null, lose })
  const stopWaiting = () => void mailbox.waiting.delete(token)
  try {
    nc.publish(route, payload, { reply: `${mailbox.inbox}.${token}`, headers: h })
  } catch (error) {
    stopWaiting()
    throw error
  }
  mailbox.watch.sent()
  return stopWaiting
}

/**
 * Sends a request; resolves with all parts of the response in order. Uses one timer and one map entry per request. The reason:
 * the client's own request function creates an error with a stack trace for each request.
 */
export const requestInParts = (
  nc: NatsConnection,
  subject: string,
  payload: Uint8Array | string,
  options: { headers: MsgHdrs; timeoutMs: number; kind: Waiting['kind'] },
): Promise<Msg[]> =>
  new Promise((resolve, reject) => {
    const parts: Msg[] = []
    let expected = 1
    let timer: NodeJS.Timeout | undefined
    const stopWaiting = publishAndWait(nc, payload, options.headers, {
      subject,
      kind: options.kind,
      receive(message) {
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
    timer = setTimeout(
      () => {
        stopWaiting()
        reject(new TimeoutError())
      },
      Math.max(0, options.timeoutMs),
    )
  })

/** Sends a response in as many parts as needed. */
export const respondInParts = (message: Msg, bytes: Uint8Array, h: MsgHdrs | undefined): void => {
  const parts = Math.ceil(bytes.length / PART)
  const first = parts > 1 ? (h ?? headers()) : h
  if (parts > 1) first?.set(PARTS, String(parts))
  message.respond(bytes.subarray(0, PART), first ? { headers: first } : undefined)
  for (let part = 1; part < parts; part++) message.respond(bytes.subarray(part * PART, (part + 1) * PART))
}
