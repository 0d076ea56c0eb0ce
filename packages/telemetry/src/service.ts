/** Says which service did the work of a span, where a process runs several: services of one process share one SDK. */
import { trace } from '@opentelemetry/api'
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node'

type Sampler = NodeSDKConfiguration['sampler']
type SpanExporter = NodeSDKConfiguration['traceExporter']
type ReadableSpan = Parameters<SpanExporter['export']>[0][number]
type Resource = ReadableSpan['resource']

/** The attribute that an entry point gives its span; spans below it in the same process get it from there. */
export const SERVICE_ATTRIBUTE = 'murmuration.service'

const serviceOf = (span: unknown): unknown =>
  (span as { attributes?: Record<string, unknown> } | undefined)?.attributes?.[SERVICE_ATTRIBUTE]

/** A sampler that lets each span have the service of the span above it, unless it names its own: a query is its asker's work. */
export const inheritingService = (inner: Sampler): Sampler => ({
  toString: () => inner.toString(),
  shouldSample: (context, traceId, name, kind, attributes, links) => {
    const decision = inner.shouldSample(context, traceId, name, kind, attributes, links)
    const service = attributes[SERVICE_ATTRIBUTE] === undefined ? serviceOf(trace.getSpan(context)) : undefined
    if (typeof service !== 'string') return decision
    return { ...decision, attributes: { ...decision.attributes, [SERVICE_ATTRIBUTE]: service } }
  },
})

/**
 * An exporter that sends each span under the `service.name` of the service that did its work.
 *
 * @example namingServices(new OTLPTraceExporter()) // statuses asking PostgreSQL is `murmuration-statuses`
 */
export const namingServices = (inner: SpanExporter): SpanExporter => {
  // One resource for each name: spans are sent in groups by resource.
  const resources = new Map<string, Resource>()
  const resourceOf = (span: ReadableSpan): Resource => {
    const service = serviceOf(span)
    if (typeof service !== 'string') return span.resource
    const resource = resources.get(service) ?? renamed(span.resource, `murmuration-${service}`)
    resources.set(service, resource)
    return resource
  }
  return {
    export: (spans, done) =>
      inner.export(
        spans.map((span) => ({ ...span, resource: resourceOf(span) })),
        done,
      ),
    shutdown: () => inner.shutdown(),
    forceFlush: async () => inner.forceFlush?.(),
  }
}

const renamed = (resource: Resource, name: string): Resource => {
  const attributes = { 'service.name': name }
  const other: Resource = { attributes, merge: () => other, getRawAttributes: () => Object.entries(attributes) }
  return resource.merge(other)
}
