/** Every entry point of admin. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import * as accountDecisionJobs from './account-decision/jobs.js'
import * as accountDecisionOperations from './account-decision/operations.js'
import * as accountJobs from './account/jobs.js'
import * as accountOperations from './account/operations.js'
import * as accountReactions from './account/reactions.js'
import * as accountShowOperation from './account/show.operation.js'
import * as actionPreviewOperations from './action-preview/operations.js'
import * as announcementOperations from './announcement/operations.js'
import * as announcementStaffOperation from './announcement/staff.operation.js'
import * as announcementTicks from './announcement/ticks.js'
import * as appealOperations from './appeal/operations.js'
import * as auditLogOperations from './audit-log/operations.js'
import * as auditLogReactions from './audit-log/reactions.js'
import * as bulkActionOperations from './bulk-action/operations.js'
import * as bulkActionTicks from './bulk-action/ticks.js'
import * as canonicalEmailBlockOperations from './canonical-email-block/operations.js'
import * as dashboardOperations from './dashboard/operations.js'
import * as deadLetterOperations from './dead-letter/operations.js'
import * as domainBlockAllowOperation from './domain-block/allow.operation.js'
import * as domainBlockCommandOperation from './domain-block/command.operation.js'
import * as domainBlockJobs from './domain-block/jobs.js'
import * as domainBlockOperations from './domain-block/operations.js'
import * as domainBlockTicks from './domain-block/ticks.js'
import * as emailDomainBlockOperations from './email-domain-block/operations.js'
import * as feedOperations from './feed/operations.js'
import * as instanceOperations from './instance/operations.js'
import * as instancePeerOperation from './instance/peer.operation.js'
import * as instancePictureOperation from './instance/picture.operation.js'
import * as instancePrivacyPolicyOperation from './instance/privacy-policy.operation.js'
import * as ipBlockOperations from './ip-block/operations.js'
import * as ipBlockTicks from './ip-block/ticks.js'
import * as policyTicks from './policy/ticks.js'
import * as pruningOperations from './pruning/operations.js'
import * as queueOperations from './queue/operations.js'
import * as reportQueueOperations from './report-queue/operations.js'
import * as reportQueueTicks from './report-queue/ticks.js'
import * as reportCreateOperation from './report/create.operation.js'
import * as reportOperations from './report/operations.js'
import * as reportReactions from './report/reactions.js'
import * as reportTicks from './report/ticks.js'
import * as reportedDomainTicks from './reported-domain/ticks.js'
import * as ruleOperations from './rule/operations.js'
import * as secretOperations from './secret/operations.js'
import * as settingOperations from './setting/operations.js'
import * as staffNoteOperations from './staff-note/operations.js'
import * as statusDecisionJobs from './status-decision/jobs.js'
import * as statusDecisionOperations from './status-decision/operations.js'
import * as strikeOperations from './strike/operations.js'
import * as taskJobs from './task/jobs.js'
import * as taskOperations from './task/operations.js'
import * as taskTicks from './task/ticks.js'
import * as termsOfServiceOperations from './terms-of-service/operations.js'
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
  accountDecisionJobs,
  accountDecisionOperations,
  accountJobs,
  accountOperations,
  accountReactions,
  accountShowOperation,
  actionPreviewOperations,
  announcementOperations,
  announcementStaffOperation,
  announcementTicks,
  appealOperations,
  auditLogOperations,
  auditLogReactions,
  bulkActionOperations,
  bulkActionTicks,
  canonicalEmailBlockOperations,
  dashboardOperations,
  deadLetterOperations,
  domainBlockAllowOperation,
  domainBlockCommandOperation,
  domainBlockJobs,
  domainBlockOperations,
  domainBlockTicks,
  emailDomainBlockOperations,
  feedOperations,
  instanceOperations,
  instancePeerOperation,
  instancePictureOperation,
  instancePrivacyPolicyOperation,
  ipBlockOperations,
  ipBlockTicks,
  policyTicks,
  pruningOperations,
  queueOperations,
  reportQueueOperations,
  reportQueueTicks,
  reportCreateOperation,
  reportOperations,
  reportReactions,
  reportTicks,
  reportedDomainTicks,
  ruleOperations,
  secretOperations,
  settingOperations,
  staffNoteOperations,
  statusDecisionJobs,
  statusDecisionOperations,
  strikeOperations,
  taskJobs,
  taskOperations,
  taskTicks,
  termsOfServiceOperations,
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
