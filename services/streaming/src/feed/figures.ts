/** What streaming counts beside its connections. */
import { metric, registry } from '@murmuration/kernel'

export const leftOut = new metric.Counter({
  name: 'murmuration_streaming_left_out_total',
  help: 'Events that were not streamed because too many waited',
  registers: [registry],
})
