/** What media counts; labels have few values, details go to the log. */
import { metric, registry } from '@murmuration/kernel'

/** What became of tries to copy files of other servers. */
export const copies = new metric.Counter({
  name: 'murmuration_media_copies_total',
  help: 'Tries to copy files of other servers, by what became of them: copied, later, gave-up, refused',
  labelNames: ['what', 'outcome'],
  registers: [registry],
})
