/** Metrics of federation. Labels have few values; details are logged. */
import { metric, registry } from '@murmuration/kernel'

/** Counts requests to inboxes by response and reason, as decided before the activity is stored. */
export const received = new metric.Counter({
  name: 'murmuration_federation_inbox_total',
  help: 'Requests to inboxes, by response and reason',
  labelNames: ['response', 'reason'],
  registers: [registry],
})

/** Counts stored activities that the inbox worker handled. */
export const processed = new metric.Counter({
  name: 'murmuration_federation_activities_total',
  help: 'Activities that the worker handled, by type, outcome and reason',
  labelNames: ['type', 'outcome', 'reason'],
  registers: [registry],
})

export const held = new metric.Counter({
  name: 'murmuration_federation_held_total',
  help: 'Activities held: their site has too many slow activities in progress, or they wait for a retry',
  registers: [registry],
})

/** Counts comparisons of follower digests (FEP-8fcf) that found a difference. */
export const synchronised = new metric.Counter({
  name: 'murmuration_federation_synchronised_total',
  help: 'Differences between follower lists here and on other servers, by outcome',
  labelNames: ['outcome'],
  registers: [registry],
})

export const fetched = new metric.Counter({
  name: 'murmuration_federation_fetches_total',
  help: 'Documents fetched from other servers, by kind and outcome',
  labelNames: ['kind', 'outcome'],
  registers: [registry],
})
