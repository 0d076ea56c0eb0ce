/** Metrics of mentions of remote accounts. */
import { metric, registry } from '@murmuration/kernel'

/** Lookups of mentioned accounts whose servers did not respond at first, by outcome. */
export const mentionLookups = new metric.Counter({
  name: 'murmuration_statuses_mentions_sought_total',
  help: 'Mentioned accounts whose servers did not respond at first, by outcome of the lookup: found, absent, outdated, gave-up',
  labelNames: ['outcome'],
  registers: [registry],
})
