/** Metrics of delivery. */
import { metric, registry } from '@murmuration/kernel'

export const deliveries = new metric.Counter({
  name: 'murmuration_deliveries_total',
  help: 'Attempts to deliver an activity to an inbox, by what came of them',
  labelNames: ['outcome'],
  registers: [registry],
})

export const heldDeliveries = new metric.Gauge({
  name: 'murmuration_held_deliveries',
  help: 'Deliveries that wait for their time or their host',
  registers: [registry],
})

export const unavailableHosts = new metric.Gauge({
  name: 'murmuration_unavailable_hosts',
  help: 'Hosts that failed on seven days and get one probe a day',
  registers: [registry],
})
