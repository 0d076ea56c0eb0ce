/** Downloads remote files through the outbound client, with a size limit, to a file in a work directory. */

import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fail, notYet } from '@murmuration/contracts/kit'
import type { Outbound, OutboundError, OutboundOptions } from '@murmuration/outbound'
import { readTime } from '@murmuration/text'
import { withHttps } from '@murmuration/text/own-address'
import { Deferred, type HostFailure, nextMinute } from '../core/remote-file/retry.rules.js'

export interface DownloadLimits {
  maxBytes: number
  /** Whether the URL may be fetched. Called for the URL of the file and for the target of each redirect. */
  mayFetch(url: URL): boolean
  /** `mayRequest` is called for the host of each request, also after redirects. False if its limit of requests is reached. */
  mayRequest(host: string): Promise<boolean>
}

export interface Downloads {
  /**
   * Stores the file in `path`. A URL with http is requested with https, unless the client allows http. Rejections:
   *
   * - `not_found`: a retry cannot help.
   * - `unavailable` with `elsewhere` (`notYet` of the contracts): a request was sent and a retry may help.
   * `hostFailureOf` returns why the host failed.
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

/** Error of a request: its host did not respond, or responded that it cannot serve requests now. */
class Trouble extends Error implements HostFailure {
  readonly host: string
  readonly silent: boolean
  readonly retryAfterMs: number | null
  constructor(trouble: HostFailure, cause?: unknown) {
    super(trouble.silent ? 'the host does not respond' : 'the host cannot serve requests now', { cause })
    this.host = trouble.host
    this.silent = trouble.silent
    this.retryAfterMs = trouble.retryAfterMs
  }
}

/** Host and requested pause in an error of `fetch`; null if the error concerns no host. */
export const hostFailureOf = (error: unknown): HostFailure | null => {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause instanceof Trouble ? cause : null
}

/** Error codes of the outbound client that concern the host and not the single file. */
const UNREACHABLE = new Set(['dns', 'connect', 'tls', 'forbidden_address'])

/** Milliseconds until the time that `Retry-After` states in seconds or as a date. Null without a valid value. */
const retryAfterOf = (headers: Readonly<Record<string, string>>, now: number): number | null => {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const until = readTime(value)
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}

/**
 * Creates the download function. The HTTP client is loaded at its first use. `timeoutMs`: time limit of one file,
 * including redirects.
 */
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
    async fetch(given, path, { maxBytes, mayFetch, mayRequest }) {
      const url = options.allowHttp ? given : withHttps(given)
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
      // A timeout counts as silence only at the first request, because a redirecting host may have used up the time. A
      // host whose request was never sent is not silent.
      const isSilence = ({ code, stage }: OutboundError) =>
        UNREACHABLE.has(code) || (code === 'timeout' && hops === 1 && stage !== 'unsent')
      const isOurs = ({ code, stage, ours }: OutboundError) =>
        ours || (code === 'timeout' && hops === 1 && stage === 'unsent')
      // True when the host has responded. A timeout after that is the fault of the file, not of the host.
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
          throw later(new Trouble({ host, silent: false, retryAfterMs: retryAfterOf(response.headers, now()) }))
        }
        await pipeline(response.body, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      } catch (error) {
        if (error instanceof Refused) throw gone(error)
        if (!isOutbound(error)) throw error
        if (isOurs(error)) throw trouble(error)
        if (!error.retryable) throw gone(error)
        throw later(
          !responded && isSilence(error) ? new Trouble({ host, silent: true, retryAfterMs: null }, error) : error,
        )
      }
    },
    async close() {
      await (await client)?.close()
    },
  }
}

/** Compares the name of the error, because an import of its class would load the HTTP client. */
const isOutbound = (error: unknown): error is OutboundError => error instanceof Error && error.name === 'OutboundError'
