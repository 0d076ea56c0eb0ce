/** Downloads remote files through the outbound client, with a size limit, to a file in a work directory. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fail, notYet } from '@murmuration/contracts/kit'
import type { Outbound, OutboundError, OutboundOptions } from '@murmuration/outbound'
import { Deferred, type HostTrouble, nextMinute } from '../core/retry.rules.js'

export interface DownloadLimits {
  maxBytes: number
  /** Called for the address and for the target of each redirect. */
  mayFetch(url: URL): boolean
  /** `mayRequest` is called for the host of each request, also after redirects. False if its limit of requests is reached. */
  mayRequest(host: string): Promise<boolean>
}

export interface Downloads {
  /**
   * Stores the file in `path`. Rejections:
   *
   * - `not_found`: a retry cannot help.
   * - `unavailable` with `elsewhere`: a request was sent and a retry may help. `troubleOf` returns the trouble of the
   * host.
   * - `unavailable` without `elsewhere`: a local failure.
   * - `Deferred`: no request was sent, because `mayRequest` returned false.
   */
  fetch(url: string, path: string, limits: DownloadLimits): Promise<void>
  close(): Promise<void>
}

const TIMEOUT_MS = 30_000
const NOT_NOW = [401, 403, 408, 425, 429]

const gone = (cause?: unknown) => fail('not_found', 'Not Found', { cause })
const later = (cause: unknown) => notYet('Remote data could not be fetched', { cause })
const trouble = (cause: unknown) => fail('unavailable', 'Remote data could not be fetched', { cause, retryAfter: 30 })

class Refused extends Error {}

/** A host that did not respond, or responded that it cannot serve the request now. */
class Trouble extends Error implements HostTrouble {
  readonly host: string
  readonly silent: boolean
  readonly askedMs: number | null
  constructor(trouble: HostTrouble, cause?: unknown) {
    super(trouble.silent ? 'the host is silent' : 'the host cannot answer now', { cause })
    this.host = trouble.host
    this.silent = trouble.silent
    this.askedMs = trouble.askedMs
  }
}

/** Trouble of a host that a rejection of `fetch` reports; null if it reports none. */
export const troubleOf = (error: unknown): HostTrouble | null => {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause instanceof Trouble ? cause : null
}

/** Error codes of the outbound client that concern the host, not the file. */
const UNREACHABLE = new Set(['dns', 'connect', 'tls', 'forbidden_address'])

/** Milliseconds that `Retry-After` requests, in seconds or as a date. Null without a valid value. */
const askedMs = (headers: Readonly<Record<string, string>>, now: number): number | null => {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const until = Date.parse(value)
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}

/** Creates downloads. The HTTP client is loaded with the first one. `timeoutMs`: time limit of one file, including redirects. */
export const createDownloads = (options: OutboundOptions, timeoutMs = TIMEOUT_MS): Downloads => {
  let client: Promise<Outbound> | undefined
  const now = () => options.clock?.now() ?? Date.now()
  const open = () => {
    client ??= import('@murmuration/outbound')
      .then(({ createOutbound }) => createOutbound(options))
      .catch((error: unknown) => {
        client = undefined
        throw error
      })
    return client
  }
  return {
    async fetch(url, path, { maxBytes, mayFetch, mayRequest }) {
      let hops = 0
      let host = ''
      const check = async (next: URL) => {
        if (!mayFetch(next)) throw new Refused()
        if (!(await mayRequest(next.host))) {
          const deferred = new Deferred(nextMinute(now()))
          throw hops === 0 ? deferred : later(deferred)
        }
        hops++
        host = next.host
        return {}
      }
      // A timeout means silence on the first hop only, because a redirecting host may have used up the time.
      // A host is not silent if the request was never sent.
      const isSilence = ({ code, stage }: OutboundError) =>
        UNREACHABLE.has(code) || (code === 'timeout' && hops === 1 && stage !== 'unsent')
      const isOurs = ({ code, stage, ours }: OutboundError) =>
        ours || (code === 'timeout' && hops === 1 && stage === 'unsent')
      // If the host responded, a file that takes too long is no trouble of the host.
      let responded = false
      try {
        await check(new URL(url))
        const outbound = await open()
        const response = await outbound.stream({
          method: 'GET',
          url,
          accept: 'image/*, video/*, audio/*',
          maxBytes,
          timeoutMs,
          redirects: 3,
          onRedirect: check,
        })
        responded = true
        if (response.status !== 200) {
          response.body.destroy()
          if (response.status < 500 && !NOT_NOW.includes(response.status)) throw gone()
          throw later(new Trouble({ host, silent: false, askedMs: askedMs(response.headers, now()) }))
        }
        await pipeline(response.body, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      } catch (error) {
        if (error instanceof Refused) throw gone(error)
        if (!isOutbound(error)) throw error
        if (isOurs(error)) throw trouble(error)
        if (!error.retryable) throw gone(error)
        throw later(!responded && isSilence(error) ? new Trouble({ host, silent: true, askedMs: null }, error) : error)
      }
    },
    async close() {
      await (await client)?.close()
    },
  }
}

/** Checks the name, because an import of the class would load the client. */
const isOutbound = (error: unknown): error is OutboundError => error instanceof Error && error.name === 'OutboundError'
