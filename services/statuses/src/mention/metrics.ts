/** Metrics of mentions. */
import { metric, registry } from '@murmuration/kernel'

/** What became of people whom remote statuses mention and whose servers did not answer at first. */
export const mentionsSought = new metric.Counter({
  name: 'murmuration_statuses_mentions_sought_total',
  help: 'Mentioned people whose servers did not answer at first, by what became of them: found, absent, outdated, gave-up',
  labelNames: ['outcome'],
  registers: [registry],
})
