/** The manifest of the gateway: it routes every request and owns no data. */
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'

export const manifest = service('gateway', {
  calls,
  database: false,
  redis: { state: ['del', 'eval', 'expire', 'get', 'incrby', 'pexpire'] },
  roles: {
    client: {
      http: { port: 3000, surface: 'client' },
      scales: 'requests',
      needs: ['nats', 'redis', 'blob'],
      replicas: { min: 2, max: 40 },
    },
    federation: {
      http: { port: 3000, surface: 'federation' },
      scales: 'incoming activities',
      needs: ['nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
  },
})
