/** The manifest of federation: incoming activities, deliveries, and the documents that other servers read. */
import {
  archiveManaged,
  archiveReady,
  consultOriginJob,
  deliverJob,
  federationTaskJob,
  federationTaskStarted,
  federationTaskStopped,
  fetchActor,
  fetchAuthorization,
  fetchCollection,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
  fetchFeaturedTags,
  fetchFollowers,
  fetchKey,
  fetchLinkBack,
  fetchObject,
  fetchReplies,
  flagReceived,
  hostManaged,
  makeArchiveJob,
  processActivity,
  readRelayedJob,
  receiveActivity,
  refetchGoneActorJob,
  relayManaged,
  sendPollUpdateJob,
  sendProfileUpdateJob,
  synchroniseFollowersJob,
  verifyReaderJob,
} from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

/** Fetching from other servers. No other operation of this service needs the internet. */
const outside: readonly AnyOperation[] = [
  fetchActor,
  fetchCollection,
  fetchFeatureAuthorization,
  fetchFeaturedCollection,
  fetchFeaturedCollections,
  fetchFeaturedItem,
  fetchFeaturedTags,
  fetchFollowers,
  fetchKey,
  fetchLinkBack,
  fetchObject,
  fetchReplies,
  fetchAuthorization,
]
/**
 * Operations that serve documents to other servers. These operations have a role of their own, apart from inbox load
 * and slow hosts.
 */
const documents = operations
  .map((entry) => entry.operation)
  .filter((one) => one !== receiveActivity && !outside.includes(one))

export const manifest = service('federation', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [
    archiveManaged,
    archiveReady,
    federationTaskStarted,
    federationTaskStopped,
    flagReceived,
    hostManaged,
    relayManaged,
  ],
  invalidations: [],
  redis: { state: ['del', 'eval', 'expire', 'get', 'incrby', 'pexpire', 'sadd', 'scard', 'setex'] },
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
      jobs: [processActivity, consultOriginJob, verifyReaderJob, readRelayedJob, synchroniseFollowersJob],
      scales: 'incoming activities',
      needs: ['postgres', 'nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
    deliver: {
      jobs: [deliverJob, refetchGoneActorJob, sendPollUpdateJob, sendProfileUpdateJob],
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
      jobs: [federationTaskJob],
      scales: 'outside reads',
      needs: ['postgres', 'nats', 'redis', 'internet'],
      replicas: { min: 2, max: 20 },
    },
  },
})
