/** Prometheus metrics of this process. Labels have few values; details are logged. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export const registry = new Registry()
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const rpcSeconds = new Histogram({
  name: 'murmuration_rpc_seconds',
  help: 'Time to respond to one operation',
  labelNames: ['service', 'operation', 'code'],
  buckets: seconds,
  registers: [registry],
})
export const messageSeconds = new Histogram({
  name: 'murmuration_message_seconds',
  help: 'Time to handle one event or job',
  labelNames: ['consumer', 'outcome'],
  buckets: seconds,
  registers: [registry],
})
export const relayed = new Counter({
  name: 'murmuration_outbox_relayed_total',
  help: 'Events published from the outbox',
  labelNames: ['service', 'how'],
  registers: [registry],
})
export const deadLetters = new Counter({
  name: 'murmuration_dead_letters_total',
  help: 'Messages given up',
  labelNames: ['consumer'],
  registers: [registry],
})
export const outboxUnsent = new Gauge({
  name: 'murmuration_outbox_unsent',
  help: 'Events waiting to be published',
  labelNames: ['service'],
  registers: [registry],
})
export const outboxOldest = new Gauge({
  name: 'murmuration_outbox_oldest_seconds',
  help: 'Age of the oldest waiting event',
  labelNames: ['service'],
  registers: [registry],
})
export const consumerPending = new Gauge({
  name: 'murmuration_consumer_pending',
  help: 'Messages that wait for a consumer of this process',
  labelNames: ['service', 'role', 'consumer'],
  registers: [registry],
})
export const consumerOldest = new Gauge({
  name: 'murmuration_consumer_oldest_seconds',
  help: 'Age of the oldest message that waits for a consumer of this process; 0 when none waits',
  labelNames: ['service', 'role', 'consumer'],
  registers: [registry],
})
export const expiredRequests = new Counter({
  name: 'murmuration_expired_requests_total',
  help: 'Requests dropped because their time was up',
  labelNames: ['service'],
  registers: [registry],
})
export const ticksRun = new Counter({
  name: 'murmuration_ticks_total',
  help: 'Runs of scheduled work: done or failed',
  labelNames: ['tick', 'outcome'],
  registers: [registry],
})
export const tickRunning = new Gauge({
  name: 'murmuration_tick_running_seconds',
  help: 'Age of the current run of scheduled work; 0 between two runs',
  labelNames: ['tick'],
  registers: [registry],
})
export const stuck = new Gauge({
  name: 'murmuration_stuck_consumers',
  help: 'Consumers of this process that make no progress',
  registers: [registry],
})
export const lag = new Gauge({
  name: 'murmuration_event_loop_lag_seconds',
  help: 'Event loop delay, 99th percentile of the last interval',
  registers: [registry],
})

/** Metrics of prom-client that need a timer of 10 ms, also in an idle process. The metric `lag` replaces them. */
const FINE_LAG = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']
const DAY_MS = 86_400_000

/** Metrics of the process itself: CPU, memory, handles, garbage collection. */
export const startProcessMetrics = (): void => {
  collectDefaultMetrics({ register: registry, prefix: 'murmuration_', eventLoopMonitoringPrecision: DAY_MS })
  for (const part of FINE_LAG) registry.removeSingleMetric(`murmuration_nodejs_eventloop_lag_${part}_seconds`)
}

export const metric = { Counter, Gauge, Histogram }
