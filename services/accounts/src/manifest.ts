/** The manifest of accounts: accounts, credentials, and relationships between accounts. */
import * as contracts from '@murmuration/contracts/accounts'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { liveUser } from '@murmuration/contracts/statuses'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

/**
 * Operations that send requests to identity providers. These operations run in their own role, the only one with access
 * to the internet.
 */
const identityOperations: readonly AnyOperation[] = [contracts.beginIdentitySignIn, contracts.finishIdentitySignIn]

export const manifest = service('accounts', {
  contracts,
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  live: [liveUser],
  roles: {
    api: {
      operations: 'others',
      scales: 'requests',
      needs: ['postgres', 'nats', 'blob'],
      replicas: { min: 2, max: 20 },
    },
    identity: {
      operations: identityOperations,
      scales: 'sign-ins with a provider',
      needs: ['postgres', 'nats', 'internet'],
      replicas: { min: 1, max: 4 },
    },
    reactor: {
      reactions: true,
      ticks: true,
      jobs: 'others',
      scales: 'follow events',
      needs: ['postgres', 'nats'],
      replicas: { min: 2, max: 10 },
    },
  },
})
