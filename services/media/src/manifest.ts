/** The floor plan of media: attachments and pictures: taken in, made safe, kept and served. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  attachmentHint,
  clearDomainJob,
  emojiHint,
  fetchRemoteJob,
  processMediaJob,
} from '@murmuration/contracts/media'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that media asks. */
export const calls = [] as const satisfies readonly AnyOperation[]

export const manifest = service('media', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  hints: [attachmentHint, emojiHint],
  roles: {
    api: {
      operations: true,
      ticks: true,
      scales: 'uploads',
      needs: ['postgres', 'nats', 'blob', 'internet'],
      replicas: { min: 2, max: 20 },
      resources: { cpu: '500m', memory: '768Mi' },
      threads: 8,
      image: 'media',
    },
    worker: {
      reactions: true,
      jobs: [clearDomainJob, fetchRemoteJob, processMediaJob],
      ticks: true,
      scales: 'minutes of video',
      needs: ['postgres', 'nats', 'blob', 'internet'],
      replicas: { min: 1, max: 20 },
      resources: { cpu: '1', memory: '1Gi' },
      threads: 8,
      image: 'media',
    },
  },
})
