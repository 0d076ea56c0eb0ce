/** Every entry point of notifications. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import * as appealReactions from './appeal/reactions.js'
import * as groupOperations from './group/operations.js'
import * as mailJobs from './mail/jobs.js'
import * as mailOperations from './mail/operations.js'
import * as mailReactions from './mail/reactions.js'
import * as mailTicks from './mail/ticks.js'
import * as markerOperations from './marker/operations.js'
import * as newsAccountReaction from './news/account.reaction.js'
import * as newsBlockReaction from './news/block.reaction.js'
import * as newsCollectionReaction from './news/collection.reaction.js'
import * as newsFollowReaction from './news/follow.reaction.js'
import * as newsJobs from './news/jobs.js'
import * as newsReportReaction from './news/report.reaction.js'
import * as newsStatusReaction from './news/status.reaction.js'
import * as newsTicks from './news/ticks.js'
import * as notificationOperations from './notification/operations.js'
import * as policyOperations from './policy/operations.js'
import * as pushJobs from './push/jobs.js'
import * as pushNotificationReaction from './push/notification.reaction.js'
import * as pushOperations from './push/operations.js'
import * as pushReactions from './push/reactions.js'
import * as requestJobs from './request/jobs.js'
import * as requestOperations from './request/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  appealReactions,
  groupOperations,
  mailJobs,
  mailOperations,
  mailReactions,
  mailTicks,
  markerOperations,
  newsAccountReaction,
  newsBlockReaction,
  newsCollectionReaction,
  newsFollowReaction,
  newsJobs,
  newsReportReaction,
  newsStatusReaction,
  newsTicks,
  notificationOperations,
  policyOperations,
  pushJobs,
  pushNotificationReaction,
  pushOperations,
  pushReactions,
  requestJobs,
  requestOperations,
)
