/** The manifest of media: attachments, avatars and emoji, which it converts, stores and serves. */
import * as contracts from '@murmuration/contracts/media'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

export const manifest = service('media', {
  contracts,
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  redis: { state: ['del', 'eval', 'expire', 'get', 'incrby', 'pexpire'] },
  roles: {
    api: {
      operations: true,
      ticks: true,
      scales: 'uploads',
      needs: ['postgres', 'nats', 'redis', 'blob', 'internet'],
      replicas: { min: 2, max: 20 },
      resources: { cpu: '500m', memory: '768Mi' },
      threads: 8,
      image: 'media',
    },
    worker: {
      reactions: true,
      jobs: 'others',
      ticks: true,
      scales: 'minutes of video',
      needs: ['postgres', 'nats', 'redis', 'blob', 'internet'],
      replicas: { min: 1, max: 20 },
      resources: { cpu: '1', memory: '1Gi' },
      threads: 8,
      image: 'media',
    },
  },
})
