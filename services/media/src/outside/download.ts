/** Files of other servers: through the guarded client, bounded while they arrive, straight to the work bench. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fail } from '@murmuration/contracts/kit'
import type { Outbound, OutboundOptions } from '@murmuration/outbound'

export interface Downloads {
  /**
   * Stores the file in `path`. Rejects with `not_found` when asking again cannot help, with `unavailable` when it may.
   * `mayFetch` is asked for each address on the way; redirects are new requests.
   */
  fetch(url: string, path: string, limits: { maxBytes: number; mayFetch(url: URL): boolean }): Promise<void>
  close(): Promise<void>
}

const TIMEOUT_MS = 30_000
const NOT_NOW = [401, 403, 408, 425, 429]

const gone = (cause?: unknown) => fail('not_found', 'Not Found', { cause })
const later = (cause?: unknown) => fail('unavailable', 'Remote data could not be fetched', { cause })

class Refused extends Error {}

/** The client is loaded by its first use. */
export const createDownloads = (options: OutboundOptions): Downloads => {
  let client: Promise<Outbound> | undefined
  const open = () => {
    client ??= import('@murmuration/outbound').then(({ createOutbound }) => createOutbound(options))
    return client
  }
  return {
    async fetch(url, path, { maxBytes, mayFetch }) {
      const check = (next: URL) => {
        if (!mayFetch(next)) throw new Refused()
        return {}
      }
      try {
        check(new URL(url))
        const outbound = await open()
        const answer = await outbound.stream({
          method: 'GET',
          url,
          accept: 'image/*, video/*, audio/*',
          maxBytes,
          timeoutMs: TIMEOUT_MS,
          redirects: 3,
          onRedirect: check,
        })
        if (answer.status !== 200) {
          answer.body.destroy()
          throw answer.status >= 500 || NOT_NOW.includes(answer.status) ? later() : gone()
        }
        await pipeline(answer.body, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      } catch (error) {
        if (error instanceof Refused) throw gone(error)
        if (isOutbound(error)) throw error.retryable ? later(error) : gone(error)
        throw error
      }
    },
    async close() {
      await (await client)?.close()
    },
  }
}

/** Known by its name, because loading the class would load the client. */
const isOutbound = (error: unknown): error is Error & { retryable: boolean } =>
  error instanceof Error && error.name === 'OutboundError'
