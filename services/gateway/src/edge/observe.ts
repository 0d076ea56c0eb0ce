/** Writes one log line and two metrics per request. The log line and the metrics contain the route, never its parameters. */
import { type Log, metric, registry } from '@murmuration/kernel'

export interface Seen {
  readonly method: string
  /** Route with the names of its parameters, such as `/api/v1/statuses/:id`. */
  readonly route: string
  readonly status: number
  /** Start of the request, in milliseconds of `performance.now()`. */
  readonly startedAt: number
  readonly requestId: string
}
export type Observe = (seen: Seen) => void

type Counter = InstanceType<typeof metric.Counter>
type Histogram = InstanceType<typeof metric.Histogram>

/** If one process serves several HTTP surfaces, they share the metrics. Therefore a metric that exists already is reused. */
const requests = (): Counter =>
  (registry.getSingleMetric('murmuration_http_requests_total') as Counter | undefined) ??
  new metric.Counter({
    name: 'murmuration_http_requests_total',
    help: 'Responses of the edge',
    labelNames: ['surface', 'status'],
    registers: [registry],
  })
const seconds = (): Histogram =>
  (registry.getSingleMetric('murmuration_http_request_seconds') as Histogram | undefined) ??
  new metric.Histogram({
    name: 'murmuration_http_request_seconds',
    help: 'Time to respond at the edge',
    labelNames: ['surface'],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })

export const createObserve = (surface: string, parent: Log): Observe => {
  // Redaction of secrets is off for this log line, because it takes longer than writing the line. No field of the line
  // can contain a secret.
  const log = parent.child({ surface }, { redact: [] })
  const counter = requests()
  const time = seconds().labels({ surface })
  const counts = new Map<number, ReturnType<Counter['labels']>>()
  return ({ method, route, status, startedAt, requestId }) => {
    const took = performance.now() - startedAt
    const count = counts.get(status) ?? counter.labels({ surface, status: String(status) })
    counts.set(status, count)
    count.inc()
    time.observe(took / 1000)
    log.info({ method, route, status, ms: Math.round(took * 10) / 10, requestId }, 'request')
  }
}
