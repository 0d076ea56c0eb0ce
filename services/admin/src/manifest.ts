/** The manifest of admin: settings, rules, reports, blocks, webhooks, and the audit log. */

import * as contracts from '@murmuration/contracts/admin'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { liveEveryone } from '@murmuration/contracts/streaming'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

/** Operations that send requests to other servers, and so have their own role. */
const outward: readonly AnyOperation[] = [contracts.testWebhook]

export const manifest = service('admin', {
  contracts,
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  live: [liveEveryone],
  writesPolicy: true,
  roles: {
    api: { operations: 'others', scales: 'moderators', needs: ['postgres', 'nats'], replicas: { min: 2, max: 4 } },
    worker: {
      reactions: true,
      ticks: true,
      jobs: 'others',
      scales: 'moderation work',
      needs: ['postgres', 'nats'],
      replicas: { min: 1, max: 4 },
    },
    webhooks: {
      operations: outward,
      jobs: [contracts.sendWebhook],
      scales: 'webhook deliveries',
      needs: ['postgres', 'nats', 'internet'],
      replicas: { min: 1, max: 4 },
    },
  },
})
