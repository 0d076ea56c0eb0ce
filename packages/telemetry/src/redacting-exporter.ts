/** The last gate before spans leave the process: an exporter that passes on redacted copies only. */
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node'
import { redactAttributes, redactName } from './redact.js'

type SpanExporter = NodeSDKConfiguration['traceExporter']
type ReadableSpan = Parameters<SpanExporter['export']>[0][number]

/** Wraps an exporter so that nothing reaches it unredacted, whichever instrumentation recorded it. */
export const redactingExporter = (inner: SpanExporter): SpanExporter => ({
  export: (spans, done) => inner.export(spans.map(redactSpan), done),
  shutdown: () => inner.shutdown(),
  forceFlush: async () => inner.forceFlush?.(),
})

/**
 * A copy of the span that may be sent. Messages of errors are dropped altogether, because databases and parsers quote
 * the value they refused; the kind of error stays, and the log has the rest under the same trace id.
 */
export const redactSpan = (span: ReadableSpan): ReadableSpan => ({
  name: redactName(span.name),
  kind: span.kind,
  spanContext: () => span.spanContext(),
  parentSpanContext: span.parentSpanContext,
  startTime: span.startTime,
  endTime: span.endTime,
  duration: span.duration,
  ended: span.ended,
  status: { code: span.status.code },
  attributes: redactAttributes(span.attributes),
  links: span.links.map((link) => ({ ...link, attributes: redactAttributes(link.attributes ?? {}) })),
  events: span.events.map((event) => ({ ...event, attributes: redactAttributes(event.attributes ?? {}) })),
  resource: span.resource,
  instrumentationScope: span.instrumentationScope,
  droppedAttributesCount: span.droppedAttributesCount,
  droppedEventsCount: span.droppedEventsCount,
  droppedLinksCount: span.droppedLinksCount,
})
