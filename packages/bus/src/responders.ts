/**
 * Finds requests whose responder has ended or hangs, and directs new requests to other responders. A request that is
 * responded to within ACCEPT_MS costs no extra message (docs/adr/0014).
 */
import type { Service } from '@nats-io/services'
import { headers, type Msg } from '@nats-io/transport-node'

/** Milliseconds after which a responder confirms that it received a request to which it has not responded yet. */
export const ACCEPT_MS = 250
const ACCEPTED_BY = 'Accepted-By'

/** Milliseconds between two checks of the requests without a response. */
const LOOK_MS = 250
/**
 * Milliseconds without a sign of life after which the responder of a request is checked. A live responder would have
 * accepted the request by then.
 */
const QUIET_MS = 2 * ACCEPT_MS
/**
 * Milliseconds without a sign of life after which a request counts as lost. A lost read is sent again, and a lost write
 * fails. A write waits longer, so that a process that was paused for seconds can still respond or refuse it. The caller
 * repeats a refused write.
 */
const LOST_MS = { read: 1_000, write: 5_000 }
/**
 * Milliseconds from the listing of a live responder until it must have accepted every request that it received before
 * the listing.
 */
const GRACE_MS = ACCEPT_MS + 100
/**
 * Milliseconds within which the responders of one service must respond to a listing request, and minimum interval between
 * two such requests.
 */
const LISTING_MS = 500
/** Milliseconds between listings while requests are directed to listed responders. */
const FRESH_MS = 1_000
/** Milliseconds for which requests are directed to listed responders after a hanging one was found. */
const DIRECT_MS = 30_000

/**
 * Error of a request whose receiving process has ended (`gone`), or shows no sign of life (`silent`). The caller cannot
 * know whether that process did the work.
 */
export class ResponderLost extends Error {
  readonly why: 'gone' | 'silent'
  constructor(subject: string, why: 'gone' | 'silent') {
    super(`the responder of ${subject} ${why === 'gone' ? 'ended' : 'shows no sign of life'}`)
    this.why = why
  }
}

/**
 * Last token of a reply subject. Its prefix `-` shows the responder that the caller understands acceptances. A prefix
 * is cheaper than a header, and other clients create no such token.
 */
export const replyToken = (count: number): string => `-${count.toString(36)}`
const MARK = '-'.charCodeAt(0)
const understandsAcceptances = (reply: string): boolean => reply.charCodeAt(reply.lastIndexOf('.') + 1) === MARK

/** Id of the responder if the message is an acceptance; null if it is a response. */
export const acceptedIn = (message: Msg): string | null =>
  message.data.length === 0 ? message.headers?.get(ACCEPTED_BY) || null : null

/**
 * Subject of pings to one responder. A responder subscribes to it until its connection closes, so also while it
 * finishes its last requests.
 */
export const pingSubject = (service: string, id: string): string => `$SRV.ALIVE.murmuration-${service}.${id}`

/** Schedules the acceptance of a request, if the caller supports it. Returns a function that cancels the acceptance. */
export const acceptLater = (service: Service, message: Msg): (() => void) => {
  if (message.reply === undefined || !understandsAcceptances(message.reply)) return () => undefined
  const timer = setTimeout(() => {
    const h = headers()
    h.set(ACCEPTED_BY, service.info().id)
    try {
      message.respond('', { headers: h })
    } catch {
      // The connection of this responder is closed. The caller notices that by a ping.
    }
  }, ACCEPT_MS)
  return () => clearTimeout(timer)
}

/** A request without a response. Times are `performance.now()`. */
export interface Open {
  readonly subject: string
  readonly kind: 'read' | 'write'
  readonly sentAt: number
  /** Time of the last message about this request, or of the last pong of the responder that accepted it. */
  heardAt: number
  acceptedBy: string | null
  lose(error: Error): void
}

interface Responder {
  heardAt: number
  /** Subjects that the responder serves; null if it was not listed yet. */
  subjects: ReadonlySet<string> | null
}

interface Known {
  readonly service: string
  readonly responders: Map<string, Responder>
  listedAt: number
}

export interface Watch {
  /** Subject to which the request is sent: that of the queue group, or that of one live responder. */
  route(subject: string, now: number): string
  /** Removes the subject of a single responder that no process subscribes to any longer. */
  removeRoute(route: string): void
  /** Starts the checks of responders. Called after each sent request. */
  sent(): void
  /** Stops sending requests directly to single responders, because the NATS server does not permit it. */
  stopDirecting(): void
}

interface WatchOptions {
  /** Requests without a response. */
  open(): Iterable<Open>
  /** Fails a request with the error `ResponderLost`. */
  lose(one: Open, error: ResponderLost): void
  /**
   * Publishes a ping or a listing request. `heard` is called with each response within `forMs` milliseconds, and `none`
   * if the subject has no subscriber.
   */
  query(subject: string, forMs: number, heard: (message: Msg) => void, none: () => void): void
}

const serviceOf = (subject: string): string | null => /^rpc\.([^.]+)\./.exec(subject)?.[1] ?? null

/** Watches the requests of one connection. */
export const createWatch = ({ open, lose, query }: WatchOptions): Watch => {
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

  /** Requests a listing of the responders of a service. Responders that do not respond to it are removed. */
  const list = (known: Known, now: number): void => {
    if (now - known.listedAt < LISTING_MS) return
    known.listedAt = now
    const { service, responders } = known
    const heard = (message: Msg): void => {
      const { id, endpoints } = message.json<{ id: string; endpoints: readonly { subject: string }[] }>()
      responders.set(id, { heardAt: performance.now(), subjects: new Set(endpoints.map((one) => one.subject)) })
    }
    query(`$SRV.INFO.murmuration-${service}`, LISTING_MS, heard, () => {
      responders.clear()
      loseWhere((one) => one.acceptedBy === null && one.sentAt < now && serviceOf(one.subject) === service)
    })
    setTimeout(() => {
      for (const [id, one] of responders) if (one.heardAt < now) responders.delete(id)
    }, LISTING_MS).unref()
  }

  /** Pings the process that accepted requests, to check that it still runs. */
  const ping = (service: string, id: string): void =>
    query(
      pingSubject(service, id),
      LISTING_MS,
      () => {
        const now = performance.now()
        for (const one of open()) if (one.acceptedBy === id) one.heardAt = now
      },
      () => loseWhere((one) => one.acceptedBy === id),
    )

  /**
   * True when another live responder of this subject would have accepted the request by now if it had received it.
   * Processes in other roles of the service are listed as well, but do not serve the subject.
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
      // While a service was not listed yet, none of its responders is known, so the request is sent to the queue group.
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
