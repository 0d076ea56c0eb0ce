/** The manifest of statuses: statuses, interactions with them, and feeds. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import * as contracts from '@murmuration/contracts/statuses'
import { presentKey } from '@murmuration/contracts/streaming'
import { service } from '@murmuration/kernel'
import { calls } from './calls.js'
import { jobs, operations, reactions, ticks } from './entry-points.js'

/**
 * Operations that send requests to the internet and therefore have their own role: translation, and embeds of remote
 * statuses.
 */
const outward: readonly AnyOperation[] = [
  contracts.showEmbed,
  contracts.translateStatus,
  contracts.translationLanguages,
]

export const manifest = service('statuses', {
  contracts,
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  redis: {
    state: [
      'eval',
      'get',
      'set',
      'setex',
      'expire',
      'del',
      'zadd',
      'zcard',
      'zmscore',
      'zrange',
      'zrem',
      'zremrangebyrank',
      'zscore',
    ],
    cache: ['get', 'mget', 'set', 'setex'],
    reads: [presentKey],
  },
  live: [contracts.liveUser, contracts.livePublic, contracts.liveTag, contracts.liveList],
  roles: {
    api: {
      operations: 'others',
      scales: 'reads',
      needs: ['postgres', 'nats', 'redis', 'redis-cache'],
      replicas: { min: 2, max: 40 },
    },
    reactor: {
      reactions: true,
      ticks: true,
      jobs: 'others',
      scales: 'interactions',
      needs: ['postgres', 'nats', 'redis', 'redis-cache'],
      replicas: { min: 2, max: 20 },
    },
    fanout: {
      jobs: [contracts.fanOut, contracts.fanOutTags, contracts.fanOutRemoval, contracts.dropAllFeeds],
      scales: 'statuses × followers',
      needs: ['postgres', 'nats', 'redis'],
      replicas: { min: 2, max: 40 },
    },
    links: {
      operations: outward,
      jobs: [contracts.previewLink],
      scales: 'links in statuses',
      needs: ['postgres', 'nats', 'redis', 'redis-cache', 'internet'],
      replicas: { min: 1, max: 10 },
    },
  },
})
