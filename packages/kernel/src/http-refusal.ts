/** Refusals of the HTTP server for requests that it cannot parse: malformed, too large or late headers, or too many header lines. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

interface Refusal {
  readonly status: number
  readonly code: string
  readonly text: string
  /** Seconds after which a repeated request may succeed. */
  readonly retryAfter?: number
}

/** Maximum number of header lines of a request. Requests of usual clients through proxies have up to forty (F073). */
const MAX_LINES = 100
const MALFORMED: Refusal = { status: 400, code: 'invalid', text: 'The request is malformed' }
const HEADERS: Refusal = { status: 431, code: 'too_large', text: 'The headers of the request are too large' }
/**
 * Response to requests for unknown paths until all apps have registered their paths. It is no 404, because clients may
 * cache a 404.
 */
export const STARTING: Refusal = {
  status: 503,
  code: 'unavailable',
  text: 'The server is starting, please try again in a moment',
  retryAfter: 5,
}
/** Response to an `Expect` header other than `100-continue` (RFC 9110, 10.1.1). */
export const UNEXPECTED: Refusal = { status: 417, code: 'invalid', text: 'The expectation is not supported' }
export const NOT_FOUND: Refusal = { status: 404, code: 'not_found', text: 'Not Found' }

const byParserError = new Map<string, Refusal>([
  ['HPE_HEADER_OVERFLOW', HEADERS],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', { status: 413, code: 'too_large', text: 'The request is too large' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { status: 408, code: 'timeout', text: 'The request took too long to arrive' }],
])

/** Security headers of every response: pages, redirects, files, streams and refusals. */
export const securityHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  ...(https ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
})

/** Headers and body of a refusal, with the headers of every response (D024). */
const write = (refusal: Refusal, https: boolean): { headers: Record<string, string>; body: string } => {
  const requestId = randomUUID()
  const body = JSON.stringify({ error: refusal.text, code: refusal.code, request_id: requestId })
  return {
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
      ...securityHeaders(https),
      ...(refusal.retryAfter ? { 'Retry-After': String(refusal.retryAfter) } : {}),
      'X-Request-Id': requestId,
      Connection: 'close',
    },
  }
}

/** Milliseconds from a refusal until its connection is cut. If it were cut at once, many clients would lose the response. */
const LINGER_MS = 1_000

const cutSoon = (socket: Duplex): void => {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** Responds on a socket without a request object, and closes it. */
export const refuseSocket = (socket: Duplex, refusal: Refusal, https: boolean): void => {
  const { headers, body } = write(refusal, https)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`)
  cutSoon(socket)
}

/** Responds with a refusal, and closes the connection after `LINGER_MS`. `https` selects the security headers. */
export const refuseRequest = (res: ServerResponse, refusal: Refusal, https: boolean): void => {
  const { headers, body } = write(refusal, https)
  res.writeHead(refusal.status, headers)
  res.end(body)
  if (res.socket) cutSoon(res.socket)
}

/**
 * Matches the value of a `Host` header: a host name or address with optional port, or an empty value (RFC 9110, 7.2). A
 * user, path or list does not match.
 */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s,/?#@\\[\]:]*)(?::\d*)?$/

/**
 * Header fields that a request may have only once. Of two lines, one program could use the first, and another the last.
 */
const SINGLE = new Set(['host', 'authorization'])

/** RFC 9112, 3.2: a server must refuse a request of HTTP/1.1 without Host, and any with several Host lines or an invalid one. */
const areSinglesBroken = ({ rawHeaders, httpVersion }: IncomingMessage): boolean => {
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const written = rawHeaders[i] ?? ''
    // Only names with the length of `host` or `authorization` are converted to lower case and compared.
    if (written.length !== 4 && written.length !== 13) continue
    const name = written.toLowerCase()
    if (!SINGLE.has(name)) continue
    if (seen.has(name) || (name === 'host' && !HOST.test(rawHeaders[i + 1] ?? ''))) return true
    seen.add(name)
  }
  return !seen.has('host') && httpVersion !== '1.0'
}

/** Matches a request target with scheme and host. The groups are the host and everything after it. */
const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/i

/** RFC 9112, 3.2.2: a target with scheme and host is accepted, and its host replaces that of the Host line. */
const readTarget = (req: IncomingMessage): void => {
  const [, host, rest = ''] = ABSOLUTE.exec(req.url ?? '') ?? []
  if (host === undefined || !HOST.test(host)) return
  req.headers.host = host
  req.url = rest.startsWith('/') ? rest : `/${rest}`
}

/**
 * Returns the refusal of a request with too many header lines, without exactly one valid Host, or with several
 * `Authorization` lines. Returns null if the headers are valid. Replaces a request target with scheme and host by its
 * path.
 */
export const headerProblem = (req: IncomingMessage): Refusal | null => {
  if (req.rawHeaders.length > MAX_LINES * 2) return HEADERS
  if (areSinglesBroken(req)) return MALFORMED
  readTarget(req)
  return null
}

/** A socket of Node's HTTP server with the response that is being written, if any. */
type ServedSocket = Duplex & { readonly _httpMessage?: ServerResponse | null }

/** Listener for the server's `clientError`: the parser failed, or the headers were too late. */
export const respondToClientError =
  (https: boolean) =>
  (error: NodeJS.ErrnoException, socket: ServedSocket): void => {
    // A refusal cannot be sent while another response is being written: clients would read it as part of that response.
    // The connection is cut instead.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) socket.destroy()
    else refuseSocket(socket, byParserError.get(error.code ?? '') ?? MALFORMED, https)
  }
