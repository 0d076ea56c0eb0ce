/** The HTTP client of all services: combines address guard, connections, redirects and limits. */

import type { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { guardedConnector } from './connect.js'
import { type Deadline, startDeadline } from './deadline.js'
import { acceptedEncodings } from './decode.js'
import { OutboundError } from './errors.js'
import { exchange } from './exchange.js'
import { follow, type Send } from './follow.js'
import { createHostSlots } from './host-slots.js'
import { createNames } from './names.js'
import { type OutboundOptions, readPolicy } from './policy.js'
import { receiveStream, receiveWhole } from './receive.js'
import { checkRequest, type OutboundRequest, type OutboundResponse, type OutboundStream } from './request.js'

/** The outbound client. All methods reject only with `OutboundError`. */
export type Outbound = {
  /** Resolves with the whole response; any status is a response. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** Resolves with the headers; for media. The deadline applies until the body has been read. */
  stream(request: OutboundRequest): Promise<OutboundStream>
  /** Lets running requests finish for up to 5 s, then closes every connection. */
  close(): Promise<void>
}

/** Divisor of `maxInFlight`: requests to one host use at most an eighth of all slots. */
const hostPart = 8
const closeMs = 5_000
const idleMs = 10_000

const closed = () => new OutboundError('connect', 'the client is closing', { ours: true })

/**
 * Creates the client, one per process. Connections are kept per origin for 10 s while idle, without new name
 * resolution. Throws an Error with the name of an invalid option.
 * @example
 * const outbound = createOutbound({ userAgent: 'Murmuration/4.6.0', mode: 'production', onRefused: logRefusals(base) })
 * const { status, body } = await outbound.request({
 *   method: 'GET', url, accept: 'application/activity+json', maxBytes: 1_048_576, timeoutMs: 30_000, redirects: 3,
 * })
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const policy = readPolicy(options)
  const share = Math.max(policy.maxConnectionsPerHost, Math.ceil(policy.maxInFlight / hostPart))
  const slots = createHostSlots(policy.maxInFlight, share, policy.maxInFlight * 20)
  const names = createNames(policy.now, policy.dns)
  const openAgent = async () => {
    const { Agent } = await import('undici')
    return new Agent({
      connect: guardedConnector({ allowed: policy.url.allowed, names, secureContext: policy.secureContext }),
      connections: policy.maxConnectionsPerHost,
      maxCachedSessions: 0,
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: 16_384,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs * 3,
    })
  }
  // The HTTP library is loaded by the first request, because most processes have a client and few use it.
  let opened: Promise<Agent> | undefined
  const agentOf = (): Promise<Agent> => {
    if (!opened && closing) throw closed()
    opened ??= openAgent().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  /** Requests in flight, each with the function that releases its slot. */
  const running = new Map<Deadline, () => void>()
  let closing: Promise<void> | undefined

  const begin = async (request: OutboundRequest): Promise<Deadline> => {
    checkRequest(request)
    const deadline = startDeadline(request.timeoutMs, request.signal)
    try {
      // An invalid URL is refused by the guard before any connection.
      running.set(deadline, await slots.take(URL.parse(String(request.url))?.host ?? '', deadline))
    } catch (error) {
      deadline.clear()
      throw error
    }
    return deadline
  }

  const end = (deadline: Deadline) => {
    const give = running.get(deadline)
    if (!running.delete(deadline)) return
    deadline.clear()
    give?.()
  }

  const closeWithin = async (ms: number) => {
    const timer = setTimeout(() => {
      for (const deadline of running.keys()) deadline.expire(closed())
    }, ms)
    await (await opened)?.close()
    clearTimeout(timer)
  }

  const defaultsFor = (request: OutboundRequest, encodings: string): Record<string, string> => ({
    'user-agent': policy.userAgent,
    'accept-encoding': encodings,
    ...(request.accept === undefined ? {} : { accept: request.accept }),
  })

  return {
    async request(request) {
      const deadline = await begin(request)
      const send: Send<Buffer> = async (hop, how) => {
        const agent = await agentOf()
        return new Promise((resolve, reject) => exchange(agent, hop, deadline, receiveWhole(how, { resolve, reject })))
      }
      try {
        return await follow(policy, request, defaultsFor(request, acceptedEncodings), send)
      } finally {
        end(deadline)
      }
    },

    async stream(request) {
      const deadline = await begin(request)
      const over = () => end(deadline)
      const send: Send<Readable> = async (hop, how) => {
        const agent = await agentOf()
        return new Promise((resolve, reject) =>
          exchange(agent, hop, deadline, receiveStream(how, { resolve, reject }, over)),
        )
      }
      try {
        return await follow(policy, request, defaultsFor(request, 'identity'), send)
      } catch (error) {
        over()
        throw error
      }
    },

    close() {
      closing ??= closeWithin(closeMs)
      return closing
    },
  }
}
