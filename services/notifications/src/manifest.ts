/** The floor plan of notifications: notifications, markers, push subscriptions and outgoing mail. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that notifications asks. */
export const calls = [] as const satisfies readonly AnyOperation[]

export const manifest = service('notifications', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [],
  hints: [],
  roles: {
    api: { operations: true, scales: 'reads', needs: ['postgres', 'nats'], replicas: { min: 2, max: 20 } },
    reactor: {
      reactions: true,
      ticks: true,
      jobs: [],
      scales: 'events',
      needs: ['postgres', 'nats'],
      replicas: { min: 2, max: 20 },
    },
    push: { jobs: [], scales: 'subscriptions', needs: ['postgres', 'nats'], replicas: { min: 1, max: 20 } },
  },
})
