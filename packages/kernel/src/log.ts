/** JSON log lines with request and trace ids, and nothing secret in them (security rule 24). */
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

/** Error as a log field: name, text, code, stack; never the SQL parameters or bodies that libraries hang on errors. */
const errorField = (error: unknown): Record<string, unknown> => {
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
    ...(error.cause ? { cause: errorField(error.cause) } : {}),
  }
}

export const createLog = (options: { service: string; level: string }): Log =>
  pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'message',
      redact: { paths: SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`]), censor: '***' },
      serializers: { error: errorField, err: errorField },
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
