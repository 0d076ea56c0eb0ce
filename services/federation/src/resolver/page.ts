/** Fetches HTML pages with unsigned requests, like a browser: the beginning of a page, or only the target of its redirect. */

import { readUri, type Uri, withoutFragment } from '@murmuration/activitypub/vocabulary/uri'
import { type Outbound, OutboundError } from '@murmuration/outbound'
import { registeredDomain } from '@murmuration/text'
import { fetched } from '../core/metrics.js'
import { type DocumentFetcher, type Failed, failed, outcomeOfError, outcomeOfStatus } from './document-fetcher.js'

export interface Pages {
  fetcher: Pick<DocumentFetcher, 'obstacle' | 'mayVisit'>
  outbound: Outbound
}

/** Maximum number of bytes of a page that are read, and size limit of the response in bytes. */
const MAX_READ_BYTES = 1_048_576
const MAX_RESPONSE_BYTES = 10 * MAX_READ_BYTES
const TIMEOUT_MS = 15_000

const refusedHop = () => new OutboundError('forbidden_address', 'the redirect target is not allowed')

const beginning = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop closes the stream of the response.
    if (size >= MAX_READ_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_READ_BYTES).toString('utf8')
}

const siteOf = (address: string): string => registeredDomain(new URL(address).host)

/** The first `MAX_READ_BYTES` bytes of an HTML page, as text. A redirect to another registered domain is not followed. */
export const readPage = async (it: Pages, uri: Uri): Promise<{ ok: true; html: string } | Failed> => {
  const obstacle = await it.fetcher.obstacle(uri, 'behind')
  if (obstacle !== null) return failed(obstacle)
  const fetchPage = async (): Promise<{ ok: true; html: string } | Failed> => {
    const response = await it.outbound.stream({
      method: 'GET',
      url: withoutFragment(uri),
      accept: 'text/html',
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: TIMEOUT_MS,
      redirects: 3,
      onRedirect: (hop) => {
        if (!it.fetcher.mayVisit(hop) || siteOf(hop.href) !== siteOf(uri)) throw refusedHop()
        return {}
      },
    })
    const isPage = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(response.headers['content-type'] ?? '')
    if (response.status === 200 && isPage) return { ok: true, html: await beginning(response.body) }
    response.body.destroy()
    return failed(response.status === 200 ? 'refused' : outcomeOfStatus(response.status))
  }
  const result = await fetchPage().catch((error) => failed(outcomeOfError(error)))
  fetched.inc({ kind: 'page', outcome: result.ok ? 'ok' : result.outcome })
  return result
}

/** Target (`Location`) of the redirect of an address; null if there is none, or if the address may not be requested. */
export const redirectOf = async (it: Pages, address: string): Promise<string | null> => {
  const uri = readUri(address)
  if (uri === null || (await it.fetcher.obstacle(uri, 'behind')) !== null) return null
  const response = await it.outbound
    .request({ method: 'HEAD', url: withoutFragment(uri), maxBytes: 0, timeoutMs: TIMEOUT_MS })
    .catch(() => null)
  return response && response.status >= 300 && response.status < 400 ? (response.headers.location ?? null) : null
}
