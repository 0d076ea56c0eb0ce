/** The closed list of errors: what each code means to a client, to a retrying caller and to the log. */

/** How loudly a failure is logged: `quiet` for the caller's mistakes, `warn` for trouble, `error` for our faults. */
type Loudness = 'quiet' | 'warn' | 'error'

const table = {
  invalid: { status: 400, retry: false, log: 'quiet' },
  unauthenticated: { status: 401, retry: false, log: 'quiet' },
  forbidden: { status: 403, retry: false, log: 'quiet' },
  not_found: { status: 404, retry: false, log: 'quiet' },
  not_acceptable: { status: 406, retry: false, log: 'quiet' },
  conflict: { status: 409, retry: true, log: 'quiet' },
  gone: { status: 410, retry: false, log: 'quiet' },
  too_large: { status: 413, retry: false, log: 'quiet' },
  unprocessable: { status: 422, retry: false, log: 'quiet' },
  rate_limited: { status: 429, retry: true, log: 'quiet' },
  unknown: { status: 500, retry: false, log: 'error' },
  unavailable: { status: 503, retry: true, log: 'warn' },
  timeout: { status: 504, retry: true, log: 'warn' },
  no_space: { status: 507, retry: true, log: 'error' },
} as const satisfies Record<string, { status: number; retry: boolean; log: Loudness }>

export type ErrorCode = keyof typeof table
export const ERROR_CODES = Object.keys(table) as ErrorCode[]

/** HTTP status, retry hint and log level of a code. */
export const meaningOf = (code: ErrorCode): { status: number; retry: boolean; log: Loudness } => table[code]

export interface FailureExtras {
  /** The real cause; logged, never shown. */
  cause?: unknown
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
  retryAfter?: number
  /** Another server does not answer now: worth another try, and no warning, as it is no trouble of ours. */
  elsewhere?: true
  /** Extra members of the public body, such as `details` or `existing_domain_block`; safe to show. */
  body?: Record<string, unknown>
  /** Another HTTP status than the code's own, where clients expect one. */
  status?: number
  /** Headers that belong to the refusal, such as `WWW-Authenticate`. */
  headers?: Record<string, string>
}

/** A refusal whose text is safe to show to whoever asked. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly status: number
  readonly extras: FailureExtras

  constructor(code: ErrorCode, text: string, extras: FailureExtras = {}) {
    super(text, extras.cause === undefined ? undefined : { cause: extras.cause })
    this.code = code
    this.status = extras.status ?? table[code].status
    this.extras = extras
  }
}

/**
 * Makes a refusal to throw.
 * @example throw fail('not_found', 'Record not found')
 */
export const fail = (code: ErrorCode, text: string, extras?: FailureExtras): Failure => new Failure(code, text, extras)

/** Another server does not answer now; what asked it is tried again, and the log does not warn of it. */
export const notYet = (text: string, extras?: Omit<FailureExtras, 'elsewhere'>): Failure =>
  fail('unavailable', text, { ...extras, elsewhere: true })

/** The one answer for what is absent and for what the viewer may not see. */
export const notFound = (text = 'Record not found'): Failure => fail('not_found', text)

/** A validation refusal in the wording that clients of this API know: `Validation failed: <Field> <message>`. */
export const invalidField = (...problems: string[]): Failure =>
  fail('unprocessable', `Validation failed: ${problems.join(', ')}`)

/** Any thrown thing as a Failure; what is not one becomes `unknown` with a text that tells nothing. */
export const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure
    ? thrown
    : fail('unknown', 'There was a temporary problem serving your request, please try again', { cause: thrown })

/** True when a failed try is trouble here: it should have worked, and it was not another server that did not answer. */
export const isTrouble = (thrown: unknown): boolean =>
  isRetryable(thrown) && !(thrown instanceof Failure && thrown.extras.elsewhere === true)

/** True when the same call may succeed later without change. */
export const isRetryable = (thrown: unknown): boolean => !(thrown instanceof Failure) || table[thrown.code].retry
