/** Recognizes errors that are caused by a missing stream or consumer. */

interface ApiError {
  api_error?: { err_code?: number }
  code?: number
  message?: string
}

/** JetStream API error codes: stream not found, consumer not found. */
const CODES = new Set<number | undefined>([10059, 10014])

/** True when JetStream responded that a stream or consumer does not exist. */
export const isNotFound = (error: unknown): boolean => {
  const { api_error, code, message } = (error ?? {}) as ApiError
  return CODES.has(api_error?.err_code ?? code) || /not found/i.test(String(message))
}

/**
 * True when an error was caused by a missing stream or consumer. Such errors also occur when a consumer is deleted
 * during a pull, and when no stream stores a published message.
 */
export const isMissing = (error: unknown): boolean =>
  isNotFound(error) ||
  /consumer deleted|no responders|jetstream is not enabled/i.test(String((error as ApiError)?.message))
