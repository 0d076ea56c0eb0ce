/** The floor plan of streaming: open connections and nothing else. */
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'

export const manifest = service('streaming', {
  calls,
  database: false,
  hearsLive: true,
  roles: {
    ws: {
      http: { port: 4000, surface: 'streaming' },
      scales: 'connections',
      needs: ['nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
  },
})
