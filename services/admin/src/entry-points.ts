/** Every entry point of admin. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import { operations as olderOperations } from './operations/index.js'
import { reactions as olderReactions } from './reactions/index.js'
import { jobs as olderJobs } from './jobs/index.js'
import { ticks as olderTicks } from './ticks/index.js'
import * as accountJobs from './account/jobs.js'
import * as accountOperations from './account/operations.js'
import * as actionPreviewOperations from './action-preview/operations.js'
import * as appealOperations from './appeal/operations.js'
import * as auditLogOperations from './audit-log/operations.js'
import * as auditLogReactions from './audit-log/reactions.js'
import * as bulkActionOperations from './bulk-action/operations.js'
import * as bulkActionTicks from './bulk-action/ticks.js'
import * as canonicalEmailBlockOperations from './canonical-email-block/operations.js'
import * as dashboardOperations from './dashboard/operations.js'
import * as deadLetterOperations from './dead-letter/operations.js'
import * as emailDomainBlockOperations from './email-domain-block/operations.js'
import * as feedOperations from './feed/operations.js'
import * as ipBlockOperations from './ip-block/operations.js'
import * as ipBlockTicks from './ip-block/ticks.js'
import * as pruningOperations from './pruning/operations.js'
import * as queueOperations from './queue/operations.js'
import * as reportDomainTicks from './report-domain/ticks.js'
import * as reportQueueOperations from './report-queue/operations.js'
import * as reportQueueTicks from './report-queue/ticks.js'
import * as staffNoteOperations from './staff-note/operations.js'
import * as statusDecisionJobs from './status-decision/jobs.js'
import * as statusDecisionOperations from './status-decision/operations.js'
import * as strikeOperations from './strike/operations.js'
import * as taskJobs from './task/jobs.js'
import * as taskOperations from './task/operations.js'
import * as taskTicks from './task/ticks.js'
import * as undoJobs from './undo/jobs.js'
import * as undoOperations from './undo/operations.js'
import * as undoTicks from './undo/ticks.js'
import * as usernameBlockOperations from './username-block/operations.js'
import * as warningPresetOperations from './warning-preset/operations.js'
import * as webhookJobs from './webhook/jobs.js'
import * as webhookOperations from './webhook/operations.js'
import * as webhookReactions from './webhook/reactions.js'
import * as webhookTicks from './webhook/ticks.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  olderOperations,
  olderReactions,
  olderJobs,
  olderTicks,
  accountJobs,
  accountOperations,
  actionPreviewOperations,
  appealOperations,
  auditLogOperations,
  auditLogReactions,
  bulkActionOperations,
  bulkActionTicks,
  canonicalEmailBlockOperations,
  dashboardOperations,
  deadLetterOperations,
  emailDomainBlockOperations,
  feedOperations,
  ipBlockOperations,
  ipBlockTicks,
  pruningOperations,
  queueOperations,
  reportDomainTicks,
  reportQueueOperations,
  reportQueueTicks,
  staffNoteOperations,
  statusDecisionJobs,
  statusDecisionOperations,
  strikeOperations,
  taskJobs,
  taskOperations,
  taskTicks,
  undoJobs,
  undoOperations,
  undoTicks,
  usernameBlockOperations,
  warningPresetOperations,
  webhookJobs,
  webhookOperations,
  webhookReactions,
  webhookTicks,
)
