/** Metrics of media. Labels have few values; details are in the log. */
import { metric, registry } from '@murmuration/kernel'

/** Number of attempts to copy remote files, by outcome. */
export const copies = new metric.Counter({
  name: 'murmuration_media_copies_total',
  help: 'Tries to copy files of other servers, by outcome: copied, later, gave-up, refused',
  labelNames: ['what', 'outcome'],
  registers: [registry],
})
