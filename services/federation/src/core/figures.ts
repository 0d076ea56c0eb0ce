/** Metrics of federation. Labels have few values; details are logged. */
import { metric, registry } from '@murmuration/kernel'

/** How incoming requests were answered before anything was stored. */
export const received = new metric.Counter({
  name: 'murmuration_federation_inbox_total',
  help: 'Requests to an inbox by what became of them',
  labelNames: ['answer', 'reason'],
  registers: [registry],
})

/** Outcomes of stored activities, by the worker. */
export const processed = new metric.Counter({
  name: 'murmuration_federation_activities_total',
  help: 'Activities worked on, by type, outcome and reason',
  labelNames: ['type', 'outcome', 'reason'],
  registers: [registry],
})

export const held = new metric.Counter({
  name: 'murmuration_federation_held_total',
  help: 'Activities put back, because their site has too many slow ones in work or until they are tried again',
  registers: [registry],
})

/** Comparisons of followers that found a difference. */
export const synchronised = new metric.Counter({
  name: 'murmuration_federation_synchronised_total',
  help: 'Differences between the followers another server counts and ours, by what became of them',
  labelNames: ['outcome'],
  registers: [registry],
})

export const fetched = new metric.Counter({
  name: 'murmuration_federation_fetches_total',
  help: 'Documents asked from other servers, by kind and outcome',
  labelNames: ['kind', 'outcome'],
  registers: [registry],
})
