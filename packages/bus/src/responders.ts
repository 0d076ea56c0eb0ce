/**
 * Finds requests whose responder has ended or hangs, and directs new requests to other responders. A request that is
 * answered within ACCEPT_MS costs no extra message (docs/adr/0014).
 */
import type { Service } from '@nats-io/services'
import { headers, type Msg } from '@nats-io/transport-node'

/** Milliseconds after which a responder confirms that it received a request that it has not answered yet. */
export const ACCEPT_MS = 250
const ACCEPTED_BY = 'Accepted-By'

/** Milliseconds between two checks of the requests without a response. */
const LOOK_MS = 250
/** Milliseconds without a sign of life after which the responder of a request is checked. A live responder would have accepted it. */
const QUIET_MS = 2 * ACCEPT_MS
/**
 * Milliseconds without a sign of life after which a request is lost: a read is sent again, a write fails. A write waits longer, so
 * that a process which continues after a pause of seconds still answers or refuses it, and the caller repeats it then.
 */
const LOST_MS = { read: 1_000, write: 5_000 }
/** Milliseconds that a live responder has to accept the requests it received before. */
const GRACE_MS = ACCEPT_MS + 100
/** Milliseconds for a listing of the responders of one service, and the least interval between two listings. */
const LISTING_MS = 500
/** Milliseconds between listings while requests are directed to listed responders. */
const FRESH_MS = 1_000
/** Milliseconds for which requests are directed to listed responders after a hanging one was found. */
const DIRECT_MS = 30_000

/**
 * The process that took a request ended (`gone`), or shows no sign of life (`silent`). The caller cannot know whether
 * that process did the work.
 */
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

/** Id of the responder in a message that only accepts a request; null for responses. */
export const acceptedIn = (message: Msg): string | null =>
  message.data.length === 0 ? message.headers?.get(ACCEPTED_BY) || null : null

/** Subject of one responder for pings. Subscribed until its connection closes, also while it finishes its last requests. */
export const aliveSubject = (service: string, id: string): string => `$SRV.ALIVE.murmuration-${service}.${id}`

/** Schedules the acceptance of a request, if the caller supports it. Returns a function that cancels the acceptance. */
export const acceptLater = (service: Service, message: Msg): (() => void) => {
  if (message.reply === undefined || !understandsAcceptances(message.reply)) return () => undefined
  const timer = setTimeout(() => {
    const h = headers()
    h.set(ACCEPTED_BY, service.info().id)
    try {
      message.respond('', { headers: h })
    } catch {
      // The connection is closed, and the bus reports that to the caller.
    }
  }, ACCEPT_MS)
  return () => clearTimeout(timer)
}

/** A request without a response. Times are `performance.now()`. */
export interface Open {
  readonly subject: string
  readonly kind: 'read' | 'write'
  readonly sentAt: number
  /** Time of the last message for the request, or from the responder that accepted it. */
  heardAt: number
  acceptedBy: string | null
  lose(error: Error): void
}

interface Responder {
  heardAt: number
  /** Subjects that the responder serves; null before it was listed. */
  subjects: ReadonlySet<string> | null
}

interface Known {
  readonly service: string
  readonly responders: Map<string, Responder>
  listedAt: number
}

export interface Watch {
  /** Subject for a request now: that of the queue group, or of one live responder. */
  route(subject: string, now: number): string
  /** Removes a route to which no process listens any more. */
  removeRoute(route: string): void
  /** `sent` is called after a request was sent. Starts the checks of its responder. */
  sent(): void
  /** Stops directing requests, because the server does not permit it. */
  stopDirecting(): void
}

interface WatchOptions {
  /** Requests without a response. */
  open(): Iterable<Open>
  /** Ends a request with ResponderLost. */
  lose(one: Open, error: ResponderLost): void
  /** Publishes a question to every responder of a subject. `none` is called when there are none. */
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

  /** Requests a listing of the live responders of a service, and removes the others. */
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

  /** Pings a responder that accepted requests. */
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
   * True when another live responder of this subject would have accepted the request by now if it had received it. Processes
   * in other roles of the service are listed too, but do not serve the subject.
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
      // Services are listed only while they have a hanging responder.
      if (known === null || known.listedAt === Number.NEGATIVE_INFINITY) return subject
      if (now - known.listedAt >= FRESH_MS) list(known, now)
      const ids = [...known.responders].flatMap(([id, one]) => (one.subjects?.has(subject) ? [id] : []))
      const id = ids[Math.floor(Math.random() * ids.length)]
      return id === undefined ? subject : `${subject}.${id}`
    },
    removeRoute(route) {
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
