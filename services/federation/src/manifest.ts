/** The manifest of federation: incoming activities, deliveries, and the documents that other servers read. */
import * as contracts from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

/** Fetching from other servers. No other operation of this service needs the internet. */
const outside: readonly AnyOperation[] = [
  contracts.fetchActor,
  contracts.fetchCollection,
  contracts.fetchFeatureAuthorization,
  contracts.fetchFeaturedCollection,
  contracts.fetchFeaturedCollections,
  contracts.fetchFeaturedItem,
  contracts.fetchFeaturedTags,
  contracts.fetchFollowers,
  contracts.fetchKey,
  contracts.fetchLinkBack,
  contracts.fetchObject,
  contracts.fetchReplies,
  contracts.fetchAuthorization,
]
export const manifest = service('federation', {
  contracts,
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  redis: { state: ['del', 'eval', 'expire', 'get', 'incrby', 'pexpire', 'sadd', 'scard', 'setex'] },
  roles: {
    api: {
      operations: 'others',
      reactions: true,
      ticks: true,
      scales: 'document reads',
      needs: ['postgres', 'nats', 'redis', 'blob'],
      replicas: { min: 2, max: 20 },
    },
    inbox: {
      operations: [contracts.receiveActivity],
      jobs: [
        contracts.processActivity,
        contracts.consultOriginJob,
        contracts.verifyReaderJob,
        contracts.readRelayedJob,
        contracts.synchroniseFollowersJob,
      ],
      scales: 'incoming activities',
      needs: ['postgres', 'nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
    deliver: {
      jobs: [
        contracts.deliverJob,
        contracts.refetchGoneActorJob,
        contracts.sendPollUpdateJob,
        contracts.sendProfileUpdateJob,
      ],
      scales: 'hosts',
      threads: 8,
      needs: ['postgres', 'nats', 'redis', 'internet'],
      replicas: { min: 2, max: 40 },
    },
    archive: {
      jobs: [contracts.makeArchiveJob],
      scales: 'archives asked for',
      needs: ['postgres', 'nats', 'redis', 'blob'],
      replicas: { min: 1, max: 4 },
    },
    fetch: {
      operations: outside,
      jobs: [contracts.federationTaskJob],
      scales: 'outside reads',
      needs: ['postgres', 'nats', 'redis', 'internet'],
      replicas: { min: 2, max: 20 },
    },
  },
})
