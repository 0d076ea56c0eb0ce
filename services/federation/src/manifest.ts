/** The floor plan of federation: other servers: what comes in, what goes out, and the documents they read. */
import {
  accountFigures,
  accountRecords,
  accountResolve,
  applyRemote,
  audience,
  exportOwner,
  localActors,
  moveIn,
  putRemote,
  relationPage,
  remoteInboxes,
  remoteKeys,
  removeRemote,
  signingKey,
  viewerFacts,
} from '@murmuration/contracts/accounts'
import {
  archiveReady,
  deliverJob,
  fetchActor,
  fetchCollection,
  fetchFeaturedTags,
  fetchKey,
  fetchLinkBack,
  fetchObject,
  fetchReplies,
  fetchStamp,
  flagReceived,
  lookAgainJob,
  makeArchiveJob,
  processActivity,
  receiveActivity,
  resolveThread,
  tellPollJob,
  tellProfileJob,
} from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  accountTimeline,
  answerQuote,
  applyRemoteInteraction,
  castRemoteVote,
  featuredTagNames,
  featuredTagPutRemote,
  markUris,
  outboxPage,
  ownStatusIds,
  putRemoteStatus,
  removeRemoteStatus,
  requestQuote,
  showStamp,
  showThread,
  statusFigures,
  statusRecords,
  statusResolve,
  statusSources,
  withdrawQuote,
} from '@murmuration/contracts/statuses'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that federation asks. */
export const calls = [
  accountFigures,
  accountRecords,
  accountResolve,
  accountTimeline,
  answerQuote,
  applyRemote,
  applyRemoteInteraction,
  audience,
  castRemoteVote,
  exportOwner,
  featuredTagNames,
  featuredTagPutRemote,
  fetchActor,
  fetchKey,
  fetchObject,
  localActors,
  markUris,
  moveIn,
  outboxPage,
  ownStatusIds,
  putRemote,
  putRemoteStatus,
  relationPage,
  remoteInboxes,
  remoteKeys,
  removeRemote,
  removeRemoteStatus,
  requestQuote,
  showStamp,
  showThread,
  signingKey,
  statusFigures,
  statusRecords,
  statusResolve,
  statusSources,
  viewerFacts,
  withdrawQuote,
] as const satisfies readonly AnyOperation[]

/** Reading of the outside world, which alone needs the way out and waits for others. */
const outside: readonly AnyOperation[] = [
  fetchActor,
  fetchCollection,
  fetchFeaturedTags,
  fetchKey,
  fetchLinkBack,
  fetchObject,
  fetchReplies,
  fetchStamp,
]
/** What anybody may read here; storms at the inboxes and slow hosts elsewhere do not touch it. */
const documents = operations
  .map((door) => door.operation)
  .filter((one) => one !== receiveActivity && !outside.includes(one))

export const manifest = service('federation', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [archiveReady, flagReceived],
  hints: [],
  roles: {
    api: {
      operations: documents,
      reactions: true,
      ticks: true,
      scales: 'document reads',
      needs: ['postgres', 'nats', 'redis', 'blob'],
      replicas: { min: 2, max: 20 },
    },
    inbox: {
      operations: [receiveActivity],
      jobs: [processActivity, resolveThread],
      scales: 'incoming activities',
      needs: ['postgres', 'nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
    deliver: {
      jobs: [deliverJob, lookAgainJob, tellPollJob, tellProfileJob],
      scales: 'hosts',
      threads: 8,
      needs: ['postgres', 'nats', 'redis', 'internet'],
      replicas: { min: 2, max: 40 },
    },
    archive: {
      jobs: [makeArchiveJob],
      scales: 'archives asked for',
      needs: ['postgres', 'nats', 'redis', 'blob'],
      replicas: { min: 1, max: 4 },
    },
    fetch: {
      operations: outside,
      scales: 'outside reads',
      needs: ['postgres', 'nats', 'redis', 'internet'],
      replicas: { min: 2, max: 20 },
    },
  },
})
