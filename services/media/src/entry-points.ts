/** Every entry point of media. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import { operations as olderOperations } from './operations/index.js'
import { reactions as olderReactions } from './reactions/index.js'
import { jobs as olderJobs } from './jobs/index.js'
import { ticks as olderTicks } from './ticks/index.js'
import * as customEmojiOperations from './custom-emoji/operations.js'
import * as dayCountOperations from './day-count/operations.js'
import * as remoteEmojiOperations from './remote-emoji/operations.js'
import * as taskJobs from './task/jobs.js'
import * as taskOperations from './task/operations.js'
import * as taskTicks from './task/ticks.js'
import * as upkeepOperations from './upkeep/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  olderOperations,
  olderReactions,
  olderJobs,
  olderTicks,
  customEmojiOperations,
  dayCountOperations,
  remoteEmojiOperations,
  taskJobs,
  taskOperations,
  taskTicks,
  upkeepOperations,
)
