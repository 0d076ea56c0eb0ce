/** The closed list of error codes: HTTP status, whether a retry is useful, and log level. */
import { type ErrorLiteral, type ErrorPhrases, ErrorText, errorText, phrasesIn } from './error-text.js'

/** Log level of a failure: `quiet` for errors of the caller, `warn` for temporary failures, `error` for faults of this server. */
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

interface Meaning {
  readonly status: number
  readonly retry: boolean
  readonly log: Loudness
}

/**
 * Meaning of error codes that only a newer release knows. A retry is useful, because it may reach a process of that
 * release during a rolling update.
 */
const NEWER: Meaning = { status: 500, retry: true, log: 'warn' }

/** Returns the HTTP status, the retry hint and the log level of an error code. */
export const meaningOf = (code: ErrorCode): Meaning => (Object.hasOwn(table, code) ? table[code] : NEWER)

export interface FailureExtras {
  /** Original error. It is logged, and not sent to clients. */
  cause?: unknown
  /** Seconds after which a retry is useful; sent as `Retry-After`. */
  retryAfter?: number
  /** True if the cause is another server that does not respond now. The work is retried, and the failure is not logged as a warning. */
  elsewhere?: true
  /** Further members of the body that the client gets, such as `details` or `existing_domain_block`. They may contain error texts. */
  body?: Record<string, unknown>
  /**
   * For a failure that another service sent: phrases of the error texts in `body`, which contains the texts as plain
   * strings.
   */
  phrases?: ErrorPhrases
  /** HTTP status that replaces the status of the error code, where clients expect another status. */
  status?: number
  /** Headers of the error response, such as `WWW-Authenticate`. */
  headers?: Record<string, string>
}

/** An error that is sent to the client, with a text in the language of the caller. `message` is the English text. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly code: ErrorCode
  readonly text: ErrorText
  readonly status: number
  readonly extras: FailureExtras

  constructor(code: ErrorCode, text: ErrorText, extras: FailureExtras = {}) {
    super(text.toString(), extras.cause === undefined ? undefined : { cause: extras.cause })
    this.code = code
    this.text = text
    this.status = extras.status ?? meaningOf(code).status
    this.extras = extras
  }
}

/**
 * Whether the code of a failure says that a service or store did not respond, or not in time. It may have carried out the
 * request, so the effect is unknown.
 */
export const isNoResponseCode = (code: string | null): boolean => code === 'unavailable' || code === 'timeout'

/** Whether an error says that a service or store did not respond, or not in time (`isNoResponseCode`). */
export const isNoResponse = (error: unknown): boolean => error instanceof Failure && isNoResponseCode(error.code)

const textOf = (text: string | ErrorText): ErrorText => (text instanceof ErrorText ? text : new ErrorText(text))

/**
 * Creates a refusal to throw. The text of the refusal is a literal of the catalogue, or an `errorText` with arguments.
 * @example throw fail('not_found', 'Record not found')
 */
export const fail = <const Text extends string>(
  code: ErrorCode,
  text: ErrorLiteral<Text> | ErrorText,
  extras?: FailureExtras,
): Failure => new Failure(code, textOf(text), extras)

/** Creates a failure whose cause is another server that does not respond now. The work is retried without a warning in the log. */
export const notYet = <const Text extends string>(
  text: ErrorLiteral<Text> | ErrorText,
  extras?: Omit<FailureExtras, 'elsewhere'>,
): Failure => new Failure('unavailable', textOf(text), { ...extras, elsewhere: true })

/**
 * Creates the error for a missing record. A record that the viewer may not see causes the same error, so that its
 * existence is not revealed.
 */
export const notFound = <const Text extends string = 'Record not found'>(
  text: ErrorLiteral<Text> | ErrorText = errorText('Record not found'),
): Failure => new Failure('not_found', textOf(text))

/** Type of a list of problems: error texts, or string literals of the catalogue. */
type Problems<Given extends readonly (string | ErrorText)[]> = {
  [K in keyof Given]: Given[K] extends ErrorText ? ErrorText : ErrorLiteral<Given[K]>
}

/** A validation error in the form that clients of this API expect: `Validation failed: <Field> <message>`. */
export const invalidField = <const Given extends readonly (string | ErrorText)[]>(
  ...problems: Problems<Given>
): Failure =>
  fail('unprocessable', errorText('Validation failed: {problems}', { problems: (problems as Given).map(textOf) }))

/** Creates the error of a request without a required parameter. */
export const missingParameter = (name: string): Failure =>
  fail('invalid', errorText('param is missing or the value is empty or invalid: {name}', { name }))

/** Error texts in the text and the body of a failure, as plain data. */
export const phrasesOf = ({ text, extras }: Failure): ErrorPhrases => ({
  ...extras.phrases,
  ...phrasesIn([text, extras.body]),
})

const VALIDATION = 'Validation failed: '

/** The problems that a validation error lists. For any other error, its text is the only problem. */
export const problemsOf = ({ text }: Failure): readonly ErrorText[] => {
  const { problems } = text.args
  if (Array.isArray(problems)) return problems
  // A service of an earlier release sends only the English text of the error.
  const { message } = text
  return message.startsWith(VALIDATION)
    ? message
        .slice(VALIDATION.length)
        .split(/, (?=\p{Lu})/u)
        .map(textOf)
    : [text]
}

/** Converts a thrown value to a Failure. A value that is no Failure becomes an error with the code `unknown` and a general text. */
export const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Failure
    ? thrown
    : fail('unknown', 'There was a temporary problem serving your request, please try again', { cause: thrown })

/**
 * The defect of this server that an error shows, or null for other errors. Another service reports a defect as a failure
 * with the code `unknown`. Such a failure is wrapped, because a job that fails with it is not tried again.
 */
export const defectIn = (thrown: unknown): unknown => {
  if (!(thrown instanceof Failure)) return thrown
  return thrown.code === 'unknown' ? new Error('another service failed with a defect', { cause: thrown }) : null
}

/** Whether an error shows a defect of another service: its failure, or the error that `defectIn` made of it. */
export const isDefectOfOther = (thrown: unknown): boolean => {
  const failure = thrown instanceof Error && !(thrown instanceof Failure) ? thrown.cause : thrown
  return failure instanceof Failure && failure.code === 'unknown'
}

/**
 * Whether a failed try shows a problem of this server: the error is retryable, and its cause is not another server that
 * does not respond.
 */
export const isTrouble = (thrown: unknown): boolean =>
  isRetryable(thrown) && !(thrown instanceof Failure && thrown.extras.elsewhere === true)

/** Whether the same call may succeed later without change. */
export const isRetryable = (thrown: unknown): boolean => !(thrown instanceof Failure) || meaningOf(thrown.code).retry
