/** Every entry point of notifications. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import { operations as olderOperations } from './operations/index.js'
import { reactions as olderReactions } from './reactions/index.js'
import { jobs as olderJobs } from './jobs/index.js'
import { ticks as olderTicks } from './ticks/index.js'
import * as appealReactions from './appeal/reactions.js'
import * as mailPreviewOperations from './mail-preview/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  olderOperations,
  olderReactions,
  olderJobs,
  olderTicks,
  appealReactions,
  mailPreviewOperations,
)
