/** Attributes spans to the services of a process, which share one SDK. */
import { trace } from '@opentelemetry/api'
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node'

type Sampler = NodeSDKConfiguration['sampler']
type SpanExporter = NodeSDKConfiguration['traceExporter']
type ReadableSpan = Parameters<SpanExporter['export']>[0][number]
type Resource = ReadableSpan['resource']

/**
 * Attribute with the service of a span. The attribute is set by entry points and inherited by spans below in the same
 * process.
 */
export const SERVICE_ATTRIBUTE = 'murmuration.service'

const serviceOf = (span: unknown): unknown =>
  (span as { attributes?: Record<string, unknown> } | undefined)?.attributes?.[SERVICE_ATTRIBUTE]

/** Sampler that copies the service of the parent span, unless the span has its own. */
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
 * Exporter that sends each span under the `service.name` of its service.
 * @example namingServices(new OTLPTraceExporter()) // PostgreSQL spans of statuses are in `murmuration-statuses`
 */
export const namingServices = (inner: SpanExporter): SpanExporter => {
  // One resource per service name. Exporters group spans by the identity of the resource.
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
