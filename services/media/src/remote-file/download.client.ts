/** Files of other servers: through the guarded client, bounded while they arrive, straight to the work bench. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fail, notYet } from '@murmuration/contracts/kit'
import type { Outbound, OutboundError, OutboundOptions } from '@murmuration/outbound'
import { type HostTrouble, LeftAlone, nextMinute } from '../core/patience.rules.js'

export interface DownloadLimits {
  maxBytes: number
  /** Asked for each address on the way; redirects are new requests. */
  mayFetch(url: URL): boolean
  /** Asked for each host on the way, once for each request: false when it was asked too often lately. */
  mayAsk(host: string): Promise<boolean>
}

export interface Downloads {
  /**
   * Stores the file in `path`. Rejects with `not_found` when asking again cannot help, with `unavailable` when it may:
   * `elsewhere` when somebody was asked (`troubleOf` then tells what that says of the host), else it is trouble of ours.
   * Rejects with `LeftAlone` when nobody was asked because `mayAsk` said no.
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

/** A host that did not answer, or answered that it cannot now. */
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

/** Trouble of a host that a rejection of `fetch` reports; null when it reports none. */
export const troubleOf = (error: unknown): HostTrouble | null => {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return cause instanceof Trouble ? cause : null
}

/** Codes of the client that tell of the host and not of the file: nobody is there to be asked. */
const UNREACHABLE = new Set(['dns', 'connect', 'tls', 'forbidden_address'])

/** Milliseconds that `Retry-After` asks for, as whole seconds or as a date; null when it says nothing. */
const askedMs = (headers: Readonly<Record<string, string>>, now: number): number | null => {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const until = Date.parse(value)
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}

/** The client is loaded by its first use. `timeoutMs` is for one file, everything included. */
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
    async fetch(url, path, { maxBytes, mayFetch, mayAsk }) {
      let hops = 0
      let host = ''
      const check = async (next: URL) => {
        if (!mayFetch(next)) throw new Refused()
        if (!(await mayAsk(next.host))) {
          const leftAlone = new LeftAlone(nextMinute(now()))
          throw hops === 0 ? leftAlone : later(leftAlone)
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
      // A file that takes too long says nothing of its host, which answers.
      let answered = false
      try {
        await check(new URL(url))
        const outbound = await open()
        const answer = await outbound.stream({
          method: 'GET',
          url,
          accept: 'image/*, video/*, audio/*',
          maxBytes,
          timeoutMs,
          redirects: 3,
          onRedirect: check,
        })
        answered = true
        if (answer.status !== 200) {
          answer.body.destroy()
          if (answer.status < 500 && !NOT_NOW.includes(answer.status)) throw gone()
          throw later(new Trouble({ host, silent: false, askedMs: askedMs(answer.headers, now()) }))
        }
        await pipeline(answer.body, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      } catch (error) {
        if (error instanceof Refused) throw gone(error)
        if (!isOutbound(error)) throw error
        if (isOurs(error)) throw trouble(error)
        if (!error.retryable) throw gone(error)
        throw later(!answered && isSilence(error) ? new Trouble({ host, silent: true, askedMs: null }, error) : error)
      }
    },
    async close() {
      await (await client)?.close()
    },
  }
}

/** Known by its name, because loading the class would load the client. */
const isOutbound = (error: unknown): error is OutboundError => error instanceof Error && error.name === 'OutboundError'
