/** Every entry point of notifications. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import * as appealReactions from './appeal/reactions.js'
import * as candidateAccountReaction from './candidate/account.reaction.js'
import * as candidateBlockReaction from './candidate/block.reaction.js'
import * as candidateCollectionReaction from './candidate/collection.reaction.js'
import * as candidateFollowReaction from './candidate/follow.reaction.js'
import * as candidateJobs from './candidate/jobs.js'
import * as candidatePollReaction from './candidate/poll.reaction.js'
import * as candidateReportReaction from './candidate/report.reaction.js'
import * as candidateStatusReaction from './candidate/status.reaction.js'
import * as candidateTicks from './candidate/ticks.js'
import * as groupOperations from './group/operations.js'
import * as mailJobs from './mail/jobs.js'
import * as mailOperations from './mail/operations.js'
import * as mailReactions from './mail/reactions.js'
import * as mailTicks from './mail/ticks.js'
import * as markerOperations from './marker/operations.js'
import * as notificationOperations from './notification/operations.js'
import * as policyOperations from './policy/operations.js'
import * as pushJobs from './push/jobs.js'
import * as pushNotificationReaction from './push/notification.reaction.js'
import * as pushOperations from './push/operations.js'
import * as pushReactions from './push/reactions.js'
import * as pushSecretOperation from './push/secret.operation.js'
import * as requestJobs from './request/jobs.js'
import * as requestOperations from './request/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  appealReactions,
  candidateAccountReaction,
  candidateBlockReaction,
  candidateCollectionReaction,
  candidateFollowReaction,
  candidateJobs,
  candidatePollReaction,
  candidateReportReaction,
  candidateStatusReaction,
  candidateTicks,
  groupOperations,
  mailJobs,
  mailOperations,
  mailReactions,
  mailTicks,
  markerOperations,
  notificationOperations,
  policyOperations,
  pushJobs,
  pushNotificationReaction,
  pushOperations,
  pushReactions,
  pushSecretOperation,
  requestJobs,
  requestOperations,
)
