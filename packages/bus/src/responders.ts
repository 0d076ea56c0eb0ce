/**
 * Finds requests whose responder has ended or hangs, and keeps new requests away from a hanging one. A request that is
 * answered soon costs no message (docs/adr/0014).
 */
import type { Service } from '@nats-io/services'
import { headers, type Msg } from '@nats-io/transport-node'

/** Milliseconds after which a responder says that it has a request. Requests answered earlier cost no message. */
export const ACCEPT_MS = 250
const ACCEPTED_BY = 'Accepted-By'

/** Milliseconds between two looks at the requests without a response. */
const LOOK_MS = 250
/** A request without a sign of life for so long is looked into. A live responder would have accepted it. */
const QUIET_MS = 2 * ACCEPT_MS
/** The same for its loss: a read is asked again, a write fails. Longer for a write, because it is not repeated. */
const LOST_MS = { read: 1_000, write: 2_000 }
/** A responder that answers has this long to accept what it received before. */
const GRACE_MS = ACCEPT_MS + 100
/** A listing of the responders of one service is over after this long, and is not repeated earlier. */
const LISTING_MS = 500
/** While requests are directed to responders that answer, they are listed this often. */
const FRESH_MS = 1_000
/** Requests are directed to responders that answer for this long after one was found hanging. */
const DIRECT_MS = 30_000

/** The process that took a request ended (`gone`), or shows no sign of life (`silent`). Whether it did the work is unknown. */
export class ResponderLost extends Error {
  readonly why: 'gone' | 'silent'
  constructor(subject: string, why: 'gone' | 'silent') {
    super(`the responder of ${subject} ${why === 'gone' ? 'ended' : 'shows no sign of life'}`)
    this.why = why
  }
}

/**
 * Last token of the reply subject of a request whose caller understands acceptances. The mark costs less than a header, and
 * other clients make no such token.
 */
export const replyToken = (count: number): string => `-${count.toString(36)}`
const MARK = '-'.charCodeAt(0)
const understandsAcceptances = (reply: string): boolean => reply.charCodeAt(reply.lastIndexOf('.') + 1) === MARK

/** Id of the responder in a message that only says who has the request; null for responses. */
export const acceptedIn = (message: Msg): string | null =>
  message.data.length === 0 ? message.headers?.get(ACCEPTED_BY) || null : null

/** Each responder listens here until its connection closes, also while it finishes its last requests. */
export const aliveSubject = (service: string, id: string): string => `$SRV.ALIVE.murmuration-${service}.${id}`

/** Sends the acceptance in time, if the caller wants one. Returns what prevents it. */
export const acceptLater = (service: Service, message: Msg): (() => void) => {
  if (message.reply === undefined || !understandsAcceptances(message.reply)) return () => undefined
  const timer = setTimeout(() => {
    const h = headers()
    h.set(ACCEPTED_BY, service.info().id)
    try {
      message.respond('', { headers: h })
    } catch {
      // The connection is closed; the caller learns that from the bus.
    }
  }, ACCEPT_MS)
  return () => clearTimeout(timer)
}

/** A request without a response. Times are `performance.now()`. */
export interface Open {
  readonly subject: string
  readonly kind: 'read' | 'write'
  readonly sentAt: number
  /** When anything came for it, or from the responder that accepted it. */
  heardAt: number
  acceptedBy: string | null
  lose(error: Error): void
}

interface Responder {
  heardAt: number
  /** Subjects that it answers; null until it was listed. */
  subjects: ReadonlySet<string> | null
}

interface Known {
  readonly service: string
  readonly responders: Map<string, Responder>
  listedAt: number
}

export interface Watch {
  /** Where a request for this subject goes now: to the queue group, or to one responder that answers. */
  route(subject: string, now: number): string
  /** No process listens to this route any more. */
  forget(route: string): void
  /** To be called after a request was sent, so that its responder is looked after. */
  sent(): void
  /** No requests are directed any more: the server does not permit it. */
  stopDirecting(): void
}

interface WatchOptions {
  /** Requests without a response. */
  open(): Iterable<Open>
  /** Ends a request with ResponderLost. */
  lose(one: Open, error: ResponderLost): void
  /** Publishes a question to every responder of a subject; `none` is called when there is none. */
  ask(subject: string, forMs: number, heard: (message: Msg) => void, none: () => void): void
}

const serviceOf = (subject: string): string | null => /^rpc\.([^.]+)\./.exec(subject)?.[1] ?? null

/** Watches the requests of one connection. */
export const createWatch = ({ open, lose, ask }: WatchOptions): Watch => {
  const services = new Map<string, Known>()
  let directUntil = Number.NEGATIVE_INFINITY
  let mayDirect = true
  let timer: NodeJS.Timeout | undefined

  const knownOf = (subject: string): Known | null => {
    const service = serviceOf(subject)
    if (service === null) return null
    const known = services.get(service) ?? {
      service,
      responders: new Map(),
      listedAt: Number.NEGATIVE_INFINITY,
    }
    services.set(service, known)
    return known
  }

  const loseWhere = (isLost: (one: Open) => boolean): void => {
    for (const one of open()) if (isLost(one)) lose(one, new ResponderLost(one.subject, 'gone'))
  }

  /** Asks which responders of the service answer now, and forgets those that do not. */
  const list = (known: Known, now: number): void => {
    if (now - known.listedAt < LISTING_MS) return
    known.listedAt = now
    const { service, responders } = known
    const heard = (message: Msg): void => {
      const { id, endpoints } = message.json<{ id: string; endpoints: readonly { subject: string }[] }>()
      responders.set(id, { heardAt: performance.now(), subjects: new Set(endpoints.map((one) => one.subject)) })
    }
    ask(`$SRV.INFO.murmuration-${service}`, LISTING_MS, heard, () => {
      responders.clear()
      loseWhere((one) => one.acceptedBy === null && one.sentAt < now && serviceOf(one.subject) === service)
    })
    setTimeout(() => {
      for (const [id, one] of responders) if (one.heardAt < now) responders.delete(id)
    }, LISTING_MS).unref()
  }

  /** Asks a responder that accepted requests whether it is there. */
  const ping = (service: string, id: string): void =>
    ask(
      aliveSubject(service, id),
      LISTING_MS,
      () => {
        const now = performance.now()
        for (const one of open()) if (one.acceptedBy === id) one.heardAt = now
      },
      () => loseWhere((one) => one.acceptedBy === id),
    )

  /**
   * True when another responder of this subject answers: if it had the request, it would have accepted it by now. Processes
   * in other roles of the service answer the listing too, but do not have the subject.
   */
  const isElsewhere = (one: Open, { responders }: Known, now: number): boolean =>
    [...responders].some(
      ([id, { heardAt, subjects }]) =>
        id !== one.acceptedBy &&
        subjects?.has(one.subject) === true &&
        heardAt >= one.heardAt + QUIET_MS &&
        now - heardAt >= GRACE_MS,
    )

  const look = (): void => {
    const now = performance.now()
    const pinged = new Set<string>()
    let isOpen = false
    for (const one of open()) {
      isOpen = true
      const quietMs = now - one.heardAt
      const known = quietMs < QUIET_MS ? null : knownOf(one.subject)
      if (known === null) continue
      const { acceptedBy } = one
      if (acceptedBy !== null && !pinged.has(acceptedBy)) ping(known.service, acceptedBy)
      if (acceptedBy !== null) pinged.add(acceptedBy)
      if (acceptedBy === null || quietMs >= 2 * QUIET_MS) list(known, now)
      if (quietMs < LOST_MS[one.kind] || !isElsewhere(one, known, now)) continue
      directUntil = now + DIRECT_MS
      lose(one, new ResponderLost(one.subject, 'silent'))
    }
    if (isOpen) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    route(subject, now) {
      if (now >= directUntil || !mayDirect) return subject
      const known = knownOf(subject)
      // Only services with a hanging responder were listed.
      if (known === null || known.listedAt === Number.NEGATIVE_INFINITY) return subject
      if (now - known.listedAt >= FRESH_MS) list(known, now)
      const ids = [...known.responders].flatMap(([id, one]) => (one.subjects?.has(subject) ? [id] : []))
      const id = ids[Math.floor(Math.random() * ids.length)]
      return id === undefined ? subject : `${subject}.${id}`
    },
    forget(route) {
      knownOf(route)?.responders.delete(route.slice(route.lastIndexOf('.') + 1))
    },
    sent() {
      timer ??= setInterval(look, LOOK_MS).unref()
    },
    stopDirecting() {
      mayDirect = false
    },
  }
}
