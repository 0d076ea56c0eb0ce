/** Logger with JSON lines, request and trace ids, and redacted secrets. */
import { trace } from '@opentelemetry/api'
import pino from 'pino'
import { currentRequest } from './request.js'

export type Log = pino.Logger

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'set-cookie',
  'token',
  'access_token',
  'code',
  'code_verifier',
  'password',
  'otp',
  'client_secret',
  'secret',
  'privateKey',
  'p256dh',
  'auth',
  'signature',
  'email',
  'text',
  'content',
]

/** Members of a thrown object that are logged if it is no Error. Its other members may contain secrets or bodies. */
const LISTED = ['name', 'message', 'reason', 'stage', 'kind', 'status', 'host', 'keyId'] as const
const MAX_CHARACTERS = 500
const MAX_CAUSES = 5

/** Converts a thrown value that is no Error to a log field: its scalar members with known names. */
const objectField = (value: object, depth: number): Record<string, unknown> => {
  const given = value as Record<string, unknown>
  const listed = LISTED.flatMap((key): [string, unknown][] => {
    const one = given[key]
    if (typeof one === 'string') return [[key, one.slice(0, MAX_CHARACTERS)]]
    return typeof one === 'number' || typeof one === 'boolean' ? [[key, one]] : []
  })
  const code = typeof given.code === 'string' || typeof given.code === 'number' ? { errorCode: given.code } : {}
  return {
    ...(listed.length === 0
      ? { message: `an object with the members ${Object.keys(given).slice(0, 20).join(', ')}` }
      : {}),
    ...Object.fromEntries(listed),
    ...code,
    ...(given.cause && depth < MAX_CAUSES ? { cause: errorField(given.cause, depth + 1) } : {}),
  }
}

/**
 * Converts an error to a log field: name, text, code and stack. SQL parameters and bodies, which libraries attach to
 * errors, are left out.
 */
export const errorField = (error: unknown, depth = 0): Record<string, unknown> => {
  if (typeof error === 'object' && error !== null && !(error instanceof Error)) return objectField(error, depth)
  if (!(error instanceof Error)) return { message: String(error) }
  const detail = error as Error & { code?: unknown; constraint?: unknown; table?: unknown }
  return {
    name: error.name,
    message: error.message,
    ...(detail.code ? { errorCode: detail.code } : {}),
    ...(detail.constraint ? { constraint: detail.constraint } : {}),
    stack: error.stack
      ?.split('\n')
      .slice(1, 8)
      .map((line) => line.trim()),
    ...(error.cause && depth < MAX_CAUSES ? { cause: errorField(error.cause, depth + 1) } : {}),
  }
}

/**
 * Creates the log of a service, which writes JSON lines to standard output. Lines contain the ids of the current request and
 * span. Values of `SECRET_KEYS` are hidden.
 */
export const createLog = (options: { service: string; level: string }): Log =>
  pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'message',
      redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]), censor: '***' },
      serializers: { error: (error) => errorField(error), err: (error) => errorField(error) },
      mixin: () => {
        const request = currentRequest()
        const span = trace.getActiveSpan()?.spanContext()
        return {
          ...(request ? { requestId: request.requestId } : {}),
          ...(span ? { traceId: span.traceId, spanId: span.spanId } : {}),
        }
      },
    },
    pino.destination({ fd: 1, sync: false, minLength: 0 }),
  )
