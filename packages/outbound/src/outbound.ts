/** Puts guard, connections, redirects and budgets together: the client that the rest of the house holds. */

import type { Readable } from 'node:stream'
import { Agent } from 'undici'
import { guardedConnector } from './connect.js'
import { type Deadline, startDeadline } from './deadline.js'
import { acceptedEncodings } from './decode.js'
import { OutboundError } from './errors.js'
import { exchange, type Hop } from './exchange.js'
import { createNames } from './names.js'
import { type OutboundOptions, readPolicy } from './policy.js'
import { type Received, type ReceiveOptions, receiveStream, receiveWhole } from './receive.js'
import { headersForNextHop, isRedirect, redirectTarget } from './redirect.js'
import {
  checkRequest,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
  prepareHeaders,
} from './request.js'
import { createSlots } from './slots.js'
import { guardUrl } from './url.js'

/** The guarded client. Both ways of asking reject with `OutboundError` and with nothing else. */
export type Outbound = {
  /** The whole response in memory; any status is a response. */
  request(request: OutboundRequest): Promise<OutboundResponse>
  /** For media: resolves with the headers. The time limit goes on until the body has been read. */
  stream(request: OutboundRequest): Promise<OutboundStream>
  /** Lets running requests finish for up to 5 s, then closes every connection. */
  close(): Promise<void>
}

const closeMs = 5_000
const idleMs = 10_000

/**
 * Makes the client. One per process: connections are kept per origin for 10 s of idleness, and a kept connection
 * costs no new lookup. Throws a plain Error naming the option when an option is wrong.
 *
 * @example
 * const outbound = createOutbound({ userAgent: 'Murmuration/4.6.0', mode: 'production' })
 * const { status, body } = await outbound.request({
 *   method: 'GET', url, accept: 'application/activity+json', maxBytes: 1_048_576, timeoutMs: 30_000, redirects: 3,
 * })
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const policy = readPolicy(options)
  const slots = createSlots(policy.maxInFlight, policy.maxInFlight * 20)
  const names = createNames(policy.now, policy.dns)
  const agent = new Agent({
    connect: guardedConnector({ allowed: policy.url.allowed, names, secureContext: policy.secureContext }),
    connections: policy.maxConnectionsPerHost,
    maxCachedSessions: 0,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: 16_384,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs * 3,
  })

  /** One request through its redirects; `send` does one hop. */
  const follow = async <Body>(
    asked: OutboundRequest,
    defaults: Record<string, string>,
    send: (hop: Hop, options: ReceiveOptions) => Promise<Received<Body>>,
  ): Promise<Received<Body> & { url: string }> => {
    const most = asked.redirects ?? 0
    const visited = new Set<string>()
    const skip: ReceiveOptions['skip'] = (status, headers) => most > 0 && isRedirect(asked.method, status, headers)

    const step = async (
      raw: string | URL,
      given: Record<string, string>,
    ): Promise<Received<Body> & { url: string }> => {
      const url = guardUrl(raw, policy.url)
      visited.add(url.href)
      const hop: Hop = { method: asked.method, url, headers: prepareHeaders(url, given, defaults), body: asked.body }
      const received = await send(hop, { method: asked.method, maxBytes: asked.maxBytes, skip })
      if (!skip(received.status, received.headers)) return { ...received, url: url.href }
      const next = redirectTarget(url, received.headers.location!, visited, most + 1 - visited.size)
      const kept = headersForNextHop(given)
      const added = asked.onRedirect ? await asked.onRedirect(guardUrl(next, policy.url)) : {}
      return step(next, { ...kept, ...added })
    }
    return step(asked.url, asked.headers ?? {})
  }

  const begin = async (asked: OutboundRequest): Promise<Deadline> => {
    checkRequest(asked)
    const deadline = startDeadline(asked.timeoutMs, asked.signal)
    try {
      await slots.take(deadline)
      return deadline
    } catch (error) {
      deadline.clear()
      throw error
    }
  }

  const defaultsFor = (asked: OutboundRequest, encodings: string): Record<string, string> => ({
    'user-agent': policy.userAgent,
    'accept-encoding': encodings,
    ...(asked.accept === undefined ? {} : { accept: asked.accept }),
  })

  return {
    async request(asked) {
      const deadline = await begin(asked)
      try {
        return await follow<Buffer>(
          asked,
          defaultsFor(asked, acceptedEncodings),
          (hop, how) =>
            new Promise((resolve, reject) => exchange(agent, hop, deadline, receiveWhole(how, { resolve, reject }))),
        )
      } finally {
        deadline.clear()
        slots.give()
      }
    },

    async stream(asked) {
      const deadline = await begin(asked)
      let isOver = false
      const over = () => {
        if (isOver) return
        isOver = true
        deadline.clear()
        slots.give()
      }
      try {
        return await follow<Readable>(
          asked,
          defaultsFor(asked, 'identity'),
          (hop, how) =>
            new Promise((resolve, reject) =>
              exchange(agent, hop, deadline, receiveStream(how, { resolve, reject }, over)),
            ),
        )
      } catch (error) {
        over()
        throw error
      }
    },

    async close() {
      const timer = setTimeout(() => void agent.destroy(new OutboundError('connect', 'the client is closing')), closeMs)
      await agent.close()
      clearTimeout(timer)
    },
  }
}
