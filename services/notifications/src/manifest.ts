/** The manifest of notifications: notifications, markers, push subscriptions and outgoing e-mail. */
import * as contracts from '@murmuration/contracts/notifications'
import { liveUser } from '@murmuration/contracts/statuses'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

export const manifest = service('notifications', {
  contracts,
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  live: [liveUser],
  roles: {
    api: { operations: true, scales: 'reads', needs: ['postgres', 'nats'], replicas: { min: 2, max: 20 } },
    reactor: {
      reactions: true,
      ticks: true,
      jobs: 'others',
      scales: 'events',
      needs: ['postgres', 'nats'],
      replicas: { min: 2, max: 20 },
    },
    mail: {
      jobs: [contracts.sendMailJob],
      scales: 'mails',
      needs: ['postgres', 'nats', 'smtp'],
      replicas: { min: 1, max: 5 },
    },
    push: {
      jobs: [contracts.sendPushJob],
      scales: 'subscriptions',
      needs: ['postgres', 'nats', 'internet'],
      replicas: { min: 1, max: 20 },
    },
  },
})
