/** The floor plan of admin: what staff decides: settings, rules, reports, blocks, and the log of it. */

import {
  accountAdminRecords,
  accountCards,
  accountDomains,
  accountFigures,
  accountModerate,
  accountRecords,
  collectionCards,
  domainTies,
  peopleByWeek,
} from '@murmuration/contracts/accounts'
import {
  domainAllowLifted,
  domainBlockChanged,
  reportChanged,
  reportFiled,
  settleAccount,
  settleDomain,
  strikeCreated,
  termsPublished,
} from '@murmuration/contracts/admin'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { attachmentFormats, emojiFind } from '@murmuration/contracts/media'
import {
  renderByIds,
  statusesByWeek,
  statusesForReport,
  statusFigures,
  statusRecords,
} from '@murmuration/contracts/statuses'
import { liveEveryone } from '@murmuration/contracts/streaming'
import { service } from '@murmuration/kernel'
import { jobs } from './jobs/index.js'
import { operations } from './operations/index.js'
import { reactions } from './reactions/index.js'
import { ticks } from './ticks/index.js'

/** Operations of lower floors that admin asks. */
export const calls = [
  accountAdminRecords,
  accountCards,
  accountDomains,
  accountFigures,
  accountModerate,
  accountRecords,
  collectionCards,
  attachmentFormats,
  domainTies,
  emojiFind,
  peopleByWeek,
  renderByIds,
  statusesByWeek,
  statusFigures,
  statusRecords,
  statusesForReport,
] as const satisfies readonly AnyOperation[]

export const manifest = service('admin', {
  operations,
  reactions,
  jobs,
  ticks,
  calls,
  announces: [domainAllowLifted, domainBlockChanged, reportChanged, reportFiled, strikeCreated, termsPublished],
  hints: [],
  live: [liveEveryone],
  writesPolicy: true,
  roles: {
    api: { operations: true, scales: 'moderators', needs: ['postgres', 'nats'], replicas: { min: 2, max: 4 } },
    worker: {
      reactions: true,
      ticks: true,
      jobs: [settleAccount, settleDomain],
      scales: 'moderation work',
      needs: ['postgres', 'nats', 'internet'],
      replicas: { min: 1, max: 4 },
    },
  },
})
