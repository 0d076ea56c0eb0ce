/** Every entry point of accounts. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import { operations as olderOperations } from './operations/index.js'
import { reactions as olderReactions } from './reactions/index.js'
import { jobs as olderJobs } from './jobs/index.js'
import { ticks as olderTicks } from './ticks/index.js'
import * as dayCountOperations from './day-count/operations.js'
import * as inviteOperations from './invite/operations.js'
import * as moderatedAccountOperations from './moderated-account/operations.js'
import * as refusedSignUpOperations from './refused-sign-up/operations.js'
import * as refusedSignUpTicks from './refused-sign-up/ticks.js'
import * as roleOperations from './role/operations.js'
import * as roleRestoreOperation from './role/restore.operation.js'
import * as selfDestructOperations from './self-destruct/operations.js'
import * as severedFollowJobs from './severed-follow/jobs.js'
import * as taskJobs from './task/jobs.js'
import * as taskOperations from './task/operations.js'
import * as taskTicks from './task/ticks.js'
import * as upkeepOperations from './upkeep/operations.js'
import * as userOperations from './user/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  olderOperations,
  olderReactions,
  olderJobs,
  olderTicks,
  dayCountOperations,
  inviteOperations,
  moderatedAccountOperations,
  refusedSignUpOperations,
  refusedSignUpTicks,
  roleOperations,
  roleRestoreOperation,
  selfDestructOperations,
  severedFollowJobs,
  taskJobs,
  taskOperations,
  taskTicks,
  upkeepOperations,
  userOperations,
)
