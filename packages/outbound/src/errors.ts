/** Errors of outgoing requests: one class with a closed list of codes. */

/**
 * Why a request did not yield a response.
 *
 * - `bad_url` not an absolute http(s) URL we accept (scheme, user info, spelling, length)
 * - `forbidden_address` the host, its address or its port may not be reached from here. Retryable if the address came
 *   from DNS, because the next lookup may give another one (`connect.ts` sets this)
 * - `dns` the name has no address, or no name server responded in time
 * - `connect` no TCP connection, or the connection broke before any response
 * - `tls` no TLS session: expired, wrong name, unknown issuer, old version
 * - `timeout` the total deadline passed, or the caller's signal ended the request
 * - `too_large` more bytes than the caller allows, on the wire or after decompression
 * - `redirect` a loop, too many hops, or a step from https to http
 * - `protocol` the peer broke HTTP, or the request itself cannot be written
 */
export type OutboundErrorCode =
  | 'forbidden_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'redirect'
  | 'protocol'
  | 'bad_url'

/** Progress of the last hop of a request: not sent, sent, or responded to. */
export type OutboundStage = 'unsent' | 'sent' | 'responded'

const retryableCodes: ReadonlySet<OutboundErrorCode> = new Set(['dns', 'connect', 'tls', 'timeout', 'protocol'])

/**
 * The only error that `Outbound` rejects with. `retryable`: true if the same request may succeed later. The message
 * never contains remote text, so it may be logged; `cause` is the low-level error.
 *
 * @example
 * if (error instanceof OutboundError && !error.retryable) giveUp(error.code)
 */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode
  readonly retryable: boolean
  /**
   * `unsent`: the request was not sent; it may have been queued in this process. `sent`: the request was sent and got
   * no response. `responded`: after the first header.
   */
  readonly stage: OutboundStage
  /** True when the error does not concern the peer: the queue was full or too slow, local sockets ran out, or the client was closing. */
  readonly ours: boolean

  constructor(
    code: OutboundErrorCode,
    message: string,
    options: { cause?: unknown; retryable?: boolean; stage?: OutboundStage; ours?: boolean } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'OutboundError'
    this.code = code
    this.retryable = options.retryable ?? retryableCodes.has(code)
    this.stage = options.stage ?? 'unsent'
    this.ours = options.ours ?? isOurs(options.cause)
  }

  /** The same error with another stage. Returns a copy, because several requests may share an error. */
  at(stage: OutboundStage): OutboundError {
    const { cause, retryable, ours } = this
    return stage === this.stage ? this : new OutboundError(this.code, this.message, { cause, retryable, stage, ours })
  }
}

/** Error codes of the local system, which do not concern the peer. */
const ownCodes: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EADDRNOTAVAIL',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
])

/**
 * True if the error has a local cause, and does not concern the peer. If several addresses were tried, each error must
 * have a local cause.
 */
const isOurs = (cause: unknown): boolean => {
  if (cause instanceof OutboundError) return cause.ours
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(isOurs)
  return ownCodes.has(String((cause as { code?: unknown } | null | undefined)?.code))
}

const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EPIPE',
  'EMFILE',
  'ENFILE',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
])
const unwritableCodes: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])
const timeoutCodes: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Converts an error of the socket, the HTTP parser or a decoder to an OutboundError. An OutboundError is returned unchanged. */
export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (connectionCodes.has(code)) return new OutboundError('connect', 'connection failed', { cause: error })
  if (timeoutCodes.has(code)) return new OutboundError('timeout', 'the peer did not respond in time', { cause: error })
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new OutboundError('too_large', 'response headers are too large', { cause: error })
  }
  if (unwritableCodes.has(code)) {
    return new OutboundError('protocol', 'the request has a header, method or body that HTTP does not allow', {
      cause: error,
      retryable: false,
    })
  }
  return new OutboundError('protocol', 'the peer broke the HTTP exchange', { cause: error })
}
