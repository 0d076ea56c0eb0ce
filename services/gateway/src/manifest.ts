/** The floor plan of the gateway: routes to everything, owns nothing. */
import { tokenResolve } from '@murmuration/contracts/accounts'
import { routedOperations } from '@murmuration/contracts/registry'
import { service } from '@murmuration/kernel'

/** Whatever has a route, and who is behind a token. */
export const calls = [tokenResolve, ...routedOperations()] as const

export const manifest = service('gateway', {
  calls,
  database: false,
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
