/** What statuses counts; labels have few values, details go to the log. */
import { metric, registry } from '@murmuration/kernel'

/** What became of people whom remote statuses mention and whose servers did not answer at first. */
export const mentionsSought = new metric.Counter({
  name: 'murmuration_statuses_mentions_sought_total',
  help: 'Mentioned people whose servers did not answer at first, by what became of them: found, absent, outdated, gave-up',
  labelNames: ['outcome'],
  registers: [registry],
})

/** Statuses whose month has no partition. */
export const defaultRows = new metric.Gauge({
  name: 'murmuration_statuses_default_partition_rows',
  help: 'Statuses in the default partition, counted up to 10,001: their month has no partition',
  registers: [registry],
})
