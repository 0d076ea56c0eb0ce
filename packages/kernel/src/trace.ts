/** Spans around what the kernel runs, joined across the bus by W3C trace context; next to free when no tracer is set. */
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

const tracer = trace.getTracer('murmuration')

/** True when a real tracer was registered before this module was used. */
const enabled = (): boolean =>
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined || process.env.OTEL_TRACES_EXPORTER === 'otlp'
const on = enabled()

/** Runs `work` in a span that continues the sender's trace. */
export const traced = <T>(
  name: string,
  traceparent: string,
  work: () => Promise<T>,
  kind: SpanKind = SpanKind.SERVER,
): Promise<T> => {
  if (!on) return work()
  const parent = traceparent ? propagation.extract(context.active(), { traceparent }) : context.active()
  return tracer.startActiveSpan(name, { kind }, parent, async (span: Span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The W3C `traceparent` of the active span, or what was given. */
export const activeTraceparent = (fallback = ''): string => {
  if (!on) return fallback
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier)
  return carrier.traceparent ?? fallback
}
