/** Metrics of deliveries. */
import { metric, registry } from '@murmuration/kernel'

export const deliveries = new metric.Counter({
  name: 'murmuration_deliveries_total',
  help: 'Attempts to deliver an activity to an inbox, by outcome',
  labelNames: ['outcome'],
  registers: [registry],
})

export const abandonedDeliveries = new metric.Counter({
  name: 'murmuration_abandoned_deliveries_total',
  help: 'Deliveries that ended without another attempt, by reason',
  labelNames: ['reason'],
  registers: [registry],
})

/**
 * Reasons of abandoned deliveries.
 *
 * | Reason | Deliveries that |
 * |---|---|
 * | `expired` | waited for seven days |
 * | `unavailable` | waited for a host when it became unavailable, or were stored while it was unavailable |
 * | `gone` | were for an inbox that responded 410 |
 * | `blocked` | waited for a host when it was blocked |
 * | `dropped` | staff gave up |
 */
export type AbandonReason = 'expired' | 'unavailable' | 'gone' | 'blocked' | 'dropped'

export const countAbandoned = (reason: AbandonReason, n: number): void => {
  if (n > 0) abandonedDeliveries.inc({ reason }, n)
}

export const heldDeliveries = new metric.Gauge({
  name: 'murmuration_held_deliveries',
  help: 'Deliveries that were not sent yet, whatever they wait for',
  registers: [registry],
})

export const unavailableHosts = new metric.Gauge({
  name: 'murmuration_unavailable_hosts',
  help: 'Hosts that failed on seven days and get one delivery a day',
  registers: [registry],
})
