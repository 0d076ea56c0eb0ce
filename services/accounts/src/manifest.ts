/** The floor plan of accounts: people, their credentials, and how they stand to each other. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that accounts asks. */
export const calls = [] as const satisfies readonly AnyOperation[]

export const manifest = service('accounts', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [],
  hints: [],
  roles: {
    api: { operations: true, scales: 'requests', needs: ['postgres', 'nats'], replicas: { min: 2, max: 20 } },
    reactor: {
      reactions: true,
      ticks: true,
      jobs: [],
      scales: 'follow events',
      needs: ['postgres', 'nats'],
      replicas: { min: 2, max: 10 },
    },
  },
})
