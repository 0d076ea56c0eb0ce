/** Metrics of the month partitions. */
import { metric, registry } from '@murmuration/kernel'

/** Number of statuses whose month has no partition. */
export const defaultRows = new metric.Gauge({
  name: 'murmuration_statuses_default_partition_rows',
  help: 'Statuses in the default partition, counted up to 10,001: their month has no partition',
  registers: [registry],
})
