/** Metrics of mentions of remote accounts. */
import { metric, registry } from '@murmuration/kernel'

/** Lookups of accounts mentioned by remote statuses whose servers did not answer at first, by outcome. */
export const mentionsSought = new metric.Counter({
  name: 'murmuration_statuses_mentions_sought_total',
  help: 'Mentioned people whose servers did not answer at first, by what became of them: found, absent, outdated, gave-up',
  labelNames: ['outcome'],
  registers: [registry],
})
