/** The manifest of admin: settings, rules, reports, blocks, webhooks, and the audit log. */

import {
  adminTaskJob,
  adminTaskStarted,
  adminTaskStopped,
  appealChanged,
  applyFinalDecision,
  applyFinalDecisions,
  domainAllowRemoved,
  domainBlockChanged,
  enforceAccountDecision,
  enforceAccountDecisions,
  enforceDomainBlock,
  enforceStatusDecision,
  finishUndo,
  reportChanged,
  reportFiled,
  sendWebhook,
  strikeCreated,
  termsPublished,
  testWebhook,
} from '@murmuration/contracts/admin'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { liveEveryone } from '@murmuration/contracts/streaming'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

/** Operations that send requests to other servers, and so have their own role. */
const outward: readonly AnyOperation[] = [testWebhook]
const inward = operations.map((entry) => entry.operation).filter((one) => !outward.includes(one))

export const manifest = service('admin', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [
    adminTaskStarted,
    adminTaskStopped,
    appealChanged,
    domainAllowRemoved,
    domainBlockChanged,
    reportChanged,
    reportFiled,
    strikeCreated,
    termsPublished,
  ],
  invalidations: [],
  live: [liveEveryone],
  writesPolicy: true,
  roles: {
    api: { operations: inward, scales: 'moderators', needs: ['postgres', 'nats'], replicas: { min: 2, max: 4 } },
    worker: {
      reactions: true,
      ticks: true,
      jobs: [
        adminTaskJob,
        enforceAccountDecision,
        enforceAccountDecisions,
        enforceDomainBlock,
        enforceStatusDecision,
        finishUndo,
        applyFinalDecision,
        applyFinalDecisions,
      ],
      scales: 'moderation work',
      needs: ['postgres', 'nats'],
      replicas: { min: 1, max: 4 },
    },
    webhooks: {
      operations: outward,
      jobs: [sendWebhook],
      scales: 'webhook deliveries',
      needs: ['postgres', 'nats', 'internet'],
      replicas: { min: 1, max: 4 },
    },
  },
})
