/** The floor plan of admin: what staff decides: settings, rules, reports, blocks, and the log of it. */

import {
  domainAllowLifted,
  domainBlockChanged,
  reportChanged,
  reportFiled,
  settleAccount,
  settleDomain,
  settleVerdict,
  strikeCreated,
  termsPublished,
} from '@murmuration/contracts/admin'
import { liveEveryone } from '@murmuration/contracts/streaming'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

export const manifest = service('admin', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [domainAllowLifted, domainBlockChanged, reportChanged, reportFiled, strikeCreated, termsPublished],
  hints: [],
  live: [liveEveryone],
  writesPolicy: true,
  roles: {
    api: { operations: true, scales: 'moderators', needs: ['postgres', 'nats'], replicas: { min: 2, max: 4 } },
    worker: {
      reactions: true,
      ticks: true,
      jobs: [settleAccount, settleDomain, settleVerdict],
      scales: 'moderation work',
      needs: ['postgres', 'nats', 'internet'],
      replicas: { min: 1, max: 4 },
    },
  },
})
