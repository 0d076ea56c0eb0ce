/** Spans of the kernel. A span of a called service belongs to the trace of its caller (W3C trace context). */
import { extractTrace, injectTrace, inSpan, isTelemetryOn, SERVICE_ATTRIBUTE } from '@murmuration/telemetry'

/** Runs `work` of a service in a span that belongs to the trace of the sender. */
export const traced = <T>(
  service: string,
  name: string,
  traceparent: string,
  work: () => Promise<T>,
  kind: 'server' | 'consumer' | 'client' | 'internal' = 'server',
): Promise<T> => {
  if (!isTelemetryOn()) return work()
  const parent = extractTrace((header) => (header === 'traceparent' ? traceparent : undefined))
  return inSpan(name, { [SERVICE_ATTRIBUTE]: service }, work, { kind, parent })
}

/** W3C `traceparent` of the active span; `fallback` if there is none. */
export const activeTraceparent = (fallback = ''): string => {
  let active = ''
  injectTrace((header, value) => {
    if (header === 'traceparent') active = value
  })
  return active || fallback
}
