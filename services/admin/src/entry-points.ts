/** Every entry point of admin. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import { operations as olderOperations } from './operations/index.js'
import { reactions as olderReactions } from './reactions/index.js'
import { jobs as olderJobs } from './jobs/index.js'
import { ticks as olderTicks } from './ticks/index.js'
import * as accountJobs from './account/jobs.js'
import * as accountOperations from './account/operations.js'
import * as auditLogOperations from './audit-log/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  olderOperations,
  olderReactions,
  olderJobs,
  olderTicks,
  accountJobs,
  accountOperations,
  auditLogOperations,
)
