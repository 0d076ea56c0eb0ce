/** The manifest of streaming, which serves open connections and owns no data. */
import { presentKey } from '@murmuration/contracts/streaming'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'

export const manifest = service('streaming', {
  calls,
  database: false,
  receivesLive: true,
  redis: { state: ['zadd', 'zremrangebyscore', 'zscore'], shares: [presentKey] },
  roles: {
    ws: {
      http: { port: 4000, surface: 'streaming' },
      scales: 'connections',
      needs: ['nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
  },
})
