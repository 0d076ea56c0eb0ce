/** The floor plan of statuses: statuses, what people do with them, and the feeds they are read in. */
import {
  accountCards,
  accountFind,
  accountRecords,
  accountResolve,
  appVerify,
  audience,
  chosenLanguages,
  feedStandings,
  followees,
  listShow,
  postingDefaults,
  rolesOf,
  viewerFacts,
} from '@murmuration/contracts/accounts'
import { fetchObject } from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  attachmentCards,
  attachmentRecords,
  proxyUrls,
  putRemoteAttachments,
  releaseAttachments,
  takeAttachments,
} from '@murmuration/contracts/media'
import {
  eraseAuthor,
  fanOut,
  favouriteCreated,
  favouriteRemoved,
  fetchParent,
  pollEnded,
  pollVoted,
  publishScheduled,
  removeReblogs,
  statusCreated,
  statusDeleted,
  statusEdited,
  statusHint,
  withdraw,
} from '@murmuration/contracts/statuses'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that statuses asks. */
export const calls = [
  accountCards,
  accountFind,
  accountRecords,
  accountResolve,
  appVerify,
  attachmentCards,
  attachmentRecords,
  audience,
  chosenLanguages,
  feedStandings,
  fetchObject,
  followees,
  listShow,
  postingDefaults,
  proxyUrls,
  putRemoteAttachments,
  releaseAttachments,
  rolesOf,
  takeAttachments,
  viewerFacts,
] as const satisfies readonly AnyOperation[]

export const manifest = service('statuses', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [statusCreated, statusEdited, statusDeleted, favouriteCreated, favouriteRemoved, pollVoted, pollEnded],
  hints: [statusHint],
  live: ['user', 'public', 'tag', 'list'],
  roles: {
    api: {
      operations: true,
      scales: 'reads',
      needs: ['postgres', 'nats', 'redis', 'redis-cache'],
      replicas: { min: 2, max: 40 },
    },
    reactor: {
      reactions: true,
      ticks: true,
      jobs: [eraseAuthor, fetchParent, publishScheduled, removeReblogs],
      scales: 'interactions',
      needs: ['postgres', 'nats', 'redis', 'redis-cache'],
      replicas: { min: 2, max: 20 },
    },
    fanout: {
      jobs: [fanOut, withdraw],
      scales: 'statuses × followers',
      needs: ['postgres', 'nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
    links: { jobs: [], scales: 'links in statuses', needs: ['postgres', 'nats'], replicas: { min: 1, max: 10 } },
  },
})
