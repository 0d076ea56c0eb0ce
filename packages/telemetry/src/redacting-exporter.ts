/** Exporter that passes on only redacted copies of spans. */
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node'
import { redactAttributes, redactName } from './redact.js'

type SpanExporter = NodeSDKConfiguration['traceExporter']
type ReadableSpan = Parameters<SpanExporter['export']>[0][number]

/** Wraps an exporter so that it gets redacted spans only, from all instrumentations. */
export const redactingExporter = (inner: SpanExporter): SpanExporter => ({
  export: (spans, done) => inner.export(spans.map(redactSpan), done),
  shutdown: () => inner.shutdown(),
  forceFlush: async () => inner.forceFlush?.(),
})

/**
 * Redacted copy of a span. Error messages are removed, because databases and parsers quote
 * refused values. The kind of error stays, and the log contains the rest under the same trace id.
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
