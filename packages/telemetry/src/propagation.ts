/** Propagation of traces across messages, and manual spans. Every function returns immediately while telemetry is off. */
import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { isTelemetryOn } from './state.js'

/** Parent span in another process, as `extractTrace` returns it; opaque. */
export type TraceParent = Context

export interface SpanOptions {
  /**
   * Kind of the span: `server` and `consumer` for entry points, `client` and `producer` for calls, `internal` (default)
   * for steps within the process.
   */
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer'
  /** Result of {@link extractTrace}. Without `parent`, the active span is the parent. */
  parent?: TraceParent | undefined
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

/**
 * Writes the active trace into a carrier as W3C `traceparent` (and `tracestate`) entries.
 *
 * @param set called once per header; not called when there is no active span
 * @example injectTrace((name, value) => headers.set(name, value))
 * @see https://www.w3.org/TR/trace-context/
 */
export const injectTrace = (set: (name: string, value: string) => void): void => {
  if (!isTelemetryOn()) return
  propagation.inject(context.active(), null, { set: (_carrier, name, value) => set(name, value) })
}

/**
 * Reads the trace that a message belongs to.
 *
 * @param get returns the value of a header by its lower-case name
 * @returns the parent for {@link inSpan}, or undefined when the message carries no valid trace, or telemetry is off
 * @example const parent = extractTrace((name) => message.headers?.get(name) || undefined)
 */
export const extractTrace = (get: (name: string) => string | undefined): TraceParent | undefined => {
  if (!isTelemetryOn()) return undefined
  const carrier: Record<string, string> = {}
  for (const name of propagation.fields()) {
    const value = get(name)
    if (value) carrier[name] = value
  }
  const found = propagation.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
  return trace.getSpanContext(found) ? found : undefined
}

/**
 * Runs `fn` inside a span that ends when `fn` returns, or when its promise settles.
 * A thrown error is recorded by its `code` or name, never by its message. Refusals with a `status` below 500
 * are recorded but not counted as errors.
 * @param name few values: the operation, job or event, never an id
 * @param attributes numbers, ids and enumerations; no tokens, addresses or private text
 * @example inSpan('rpc.accounts.card.get', { 'rpc.system': 'nats' }, () => handle(message), { kind: 'server', parent })
 */
export const inSpan = <T>(name: string, attributes: Attributes, fn: () => T, options: SpanOptions = {}): T => {
  if (!isTelemetryOn()) return fn()
  const parent = options.parent ?? context.active()
  const span = tracer().startSpan(name, { kind: kinds[options.kind ?? 'internal'], attributes }, parent)
  return context.with(trace.setSpan(parent, span), () => endWith(span, fn))
}

const endWith = <T>(span: Span, fn: () => T): T => {
  try {
    const result = fn()
    if (!isPromise(result)) {
      span.end()
      return result
    }
    return result.then(
      (value) => {
        span.end()
        return value
      },
      (error) => {
        endFailed(span, error)
        throw error
      },
    ) as T
  } catch (error) {
    endFailed(span, error)
    throw error
  }
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Promise<unknown> | null | undefined)?.then === 'function'

const endFailed = (span: Span, thrown: unknown): void => {
  const { code, name, status } = (thrown ?? {}) as { code?: unknown; name?: unknown; status?: unknown }
  span.setAttribute('error.type', String(code ?? name ?? typeof thrown).slice(0, 64))
  if (!(typeof status === 'number' && status < 500)) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/**
 * Adds attributes to the active span that were unknown at its start, such as the route or the page size.
 * @example describeSpan({ 'http.route': '/api/v1/statuses/:id' }, 'GET /api/v1/statuses/:id')
 */
export const describeSpan = (attributes: Attributes, name?: string): void => {
  if (!isTelemetryOn()) return
  const span = trace.getActiveSpan()
  span?.setAttributes(attributes)
  if (name) span?.updateName(name)
}

/** The id of the active trace, 32 hex digits, for log lines; undefined outside a trace or while telemetry is off. */
export const currentTraceId = (): string | undefined =>
  isTelemetryOn() ? trace.getActiveSpan()?.spanContext().traceId : undefined

// The tracer is looked up for each span. A tracer that was looked up before the SDK started may never record, because the
// SDK may have loaded another copy of the package `@opentelemetry/api`.
const tracer = () => trace.getTracer('murmuration')
