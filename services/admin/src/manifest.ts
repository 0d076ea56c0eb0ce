/** The floor plan of admin: what staff decides: settings, rules, reports, blocks, and the log of it. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that admin asks. */
export const calls = [] as const satisfies readonly AnyOperation[]

export const manifest = service('admin', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [],
  hints: [],
  roles: {
    api: { operations: true, scales: 'moderators', needs: ['postgres', 'nats'], replicas: { min: 2, max: 4 } },
    worker: {
      reactions: true,
      ticks: true,
      jobs: [],
      scales: 'moderation work',
      needs: ['postgres', 'nats'],
      replicas: { min: 1, max: 4 },
    },
  },
})
