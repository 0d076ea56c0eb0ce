/** HTTP client for linked pages and the translation API. The client is opened at its first use. */
import { createMemoryCache, createRespondingHostLimit, type Leave } from '@murmuration/flow'
import type { Outbound, OutboundError, OutboundOptions, OutboundStream } from '@murmuration/outbound'

export interface WebResponse {
  /** Address of the response after all redirects. */
  url: string
  status: number
  /** Content type without parameters, in lower case. */
  type: string
  text: string
}

/** Thrown if the address, or a redirect, leads to a server that staff blocked. */
export class NotVisited extends Error {
  constructor() {
    super('the address is on a suspended server')
    this.name = 'NotVisited'
  }
}

/** Thrown if nothing was sent, because the host does not respond to other requests. */
export class NotResponding extends Error {
  constructor() {
    super('the host does not respond to other requests')
    this.name = 'NotResponding'
  }
}

export interface Web {
  /**
   * Reads at most the first `maxBytes` of a page; the rest is not read. Rejects with `OutboundError`, with `NotResponding`,
   * and with `NotVisited` if the address or a redirect leads to a blocked server.
   */
  read(url: string, of: { accept: string; maxBytes: number; timeoutMs: number }): Promise<WebResponse>
  /**
   * Sends a request to an API that the operator configured, and reads the whole response. Rejects with `OutboundError`.
   */
  request(of: {
    method: 'GET' | 'POST'
    url: string
    headers?: Record<string, string>
    body?: string
    timeoutMs: number
  }): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

/** Maximum bytes of an API response: the translated text of one status, with space for escapes. */
const MAX_ANSWER = 2_097_152
/** Maximum bytes of a page; the client aborts a longer response. */
const MAX_PAGE = 16_777_216

const label = (type: string): string => /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(type)?.[1] ?? ''

/** Decodes with the charset of the header, or of the first kilobyte of the page; otherwise UTF-8. */
const decode = (bytes: Buffer, type: string): string => {
  const named = label(type) || label(bytes.subarray(0, 1_024).toString('latin1'))
  try {
    return new TextDecoder(named || 'utf-8').decode(bytes)
  } catch {
    // If the decoder does not know the charset, the text is decoded as UTF-8.
    return new TextDecoder().decode(bytes)
  }
}

const beginningOf = async (response: OutboundStream, max: number): Promise<Buffer> => {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response.body) {
    pieces.push(piece)
    size += piece.length
    if (size >= max) break
  }
  response.body.destroy()
  return Buffer.concat(pieces).subarray(0, max)
}

/** Milliseconds for which an unreachable host is not tried again. A thousand statuses may link to one dead host. */
const UNREACHED_MS = 10_000

/** Slots of one host. They are fewer than the concurrency of the job that reads pages, so that no host can use all of it. */
const SLOTS = { max: 12, unproven: 4, silenceMs: 3_000, failures: 4, pauseMs: 60_000 }

const UNREACHABLE: readonly unknown[] = ['dns', 'connect', 'forbidden_address'] satisfies OutboundError['code'][]

/**
 * Whether no connection to the host was made, so that the host counts as unreachable. A refused address that is not
 * retryable does not count: it was written in a URL, perhaps of a redirect.
 */
const isUnreached = (error: unknown): error is OutboundError => {
  const { name, code, stage, retryable } = error as Partial<OutboundError>
  return name === 'OutboundError' && stage === 'unsent' && retryable === true && UNREACHABLE.includes(code)
}

/**
 * `operator`: options for addresses that the operator configured, never for addresses in statuses. `mayVisit` is called
 * for each address on the way to a page. `now` returns milliseconds. `silenceMs`: a host that sent no
 * response for this time counts as silent.
 */
export const createWeb = (
  pages: OutboundOptions,
  operator: OutboundOptions,
  mayVisit: (url: URL) => boolean,
  now: () => number = () => performance.now(),
  silenceMs: number = SLOTS.silenceMs,
): Web => {
  const clients = new Map<OutboundOptions, Promise<Outbound>>()
  /** Reason why a host was unreachable at the last attempt, by origin. */
  const unreached = createMemoryCache<OutboundError>({ max: 1_000, ttlMs: UNREACHED_MS, now })
  const slots = createRespondingHostLimit({ ...SLOTS, silenceMs, now })
  const open = (options: OutboundOptions): Promise<Outbound> => {
    const known = clients.get(options)
    if (known) return known
    const client = import('@murmuration/outbound').then(({ createOutbound }) => createOutbound(options))
    clients.set(options, client)
    client.catch(() => clients.delete(options))
    return client
  }
  const visit = (url: URL): Record<string, string> => {
    if (!mayVisit(url)) throw new NotVisited()
    return {}
  }
  /** Takes a slot of a host, unless the host was unreachable at the last attempt or does not respond. */
  const enter = async (origin: string): Promise<Leave> => {
    const failed = unreached.get(origin)
    if (failed) throw failed
    const leave = await slots.enter(origin)
    if (leave === null) throw new NotResponding()
    return leave
  }
  return {
    async read(url, { accept, maxBytes, timeoutMs }) {
      const address = new URL(url)
      visit(address)
      const client = await open(pages)
      // The host to which the current request is sent, and its slot.
      let { origin } = address
      let leave: Leave | null = await enter(origin)
      let responded = false
      try {
        const response = await client
          .stream({
            method: 'GET',
            url,
            accept,
            maxBytes: MAX_PAGE,
            timeoutMs,
            redirects: 3,
            async onRedirect(next) {
              if (next.origin === origin) return visit(next)
              // The host responded, whatever the next one does.
              leave?.(true)
              leave = null
              const headers = visit(next)
              origin = next.origin
              leave = await enter(origin)
              return headers
            },
          })
          .catch((error: unknown) => {
            // Without a slot, nothing was sent.
            if (leave !== null && isUnreached(error)) unreached.set(origin, error)
            throw error
          })
        const type = response.headers['content-type'] ?? ''
        const text = decode(await beginningOf(response, maxBytes), type)
        responded = true
        return {
          url: response.url,
          status: response.status,
          type: type.split(';')[0]?.trim().toLowerCase() ?? '',
          text,
        }
      } finally {
        leave?.(responded)
      }
    },
    async request({ method, url, headers = {}, body, timeoutMs }) {
      const client = await open(operator)
      const response = await client.request({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { body }),
        accept: 'application/json',
        maxBytes: MAX_ANSWER,
        timeoutMs,
      })
      return { status: response.status, text: response.body.toString('utf8') }
    },
    async close() {
      await Promise.all([...clients.values()].map(async (client) => (await client).close()))
    },
  }
}
