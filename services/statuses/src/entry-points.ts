/** Every entry point of statuses. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import { operations as olderOperations } from './operations/index.js'
import { reactions as olderReactions } from './reactions/index.js'
import { jobs as olderJobs } from './jobs/index.js'
import { ticks as olderTicks } from './ticks/index.js'
import * as attachmentJobs from './attachment/jobs.js'
import * as cacheOperations from './cache/operations.js'
import * as dayCountOperations from './day-count/operations.js'
import * as emojiReactionOperations from './emoji-reaction/operations.js'
import * as feedOperations from './feed/operations.js'
import * as knownAuthorOperations from './known-author/operations.js'
import * as moderatedStatusOperations from './moderated-status/operations.js'
import * as previewCardOperations from './preview-card/operations.js'
import * as publisherOperations from './publisher/operations.js'
import * as tagReviewOperations from './tag-review/operations.js'
import * as taxonomyRestoreOperation from './taxonomy/restore.operation.js'
import * as trendReviewDecideAllOperation from './trend-review/decide-all.operation.js'
import * as trendReviewOperations from './trend-review/operations.js'
import * as unreferencedStatusOperations from './unreferenced-status/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  olderOperations,
  olderReactions,
  olderJobs,
  olderTicks,
  attachmentJobs,
  cacheOperations,
  dayCountOperations,
  emojiReactionOperations,
  feedOperations,
  knownAuthorOperations,
  moderatedStatusOperations,
  previewCardOperations,
  publisherOperations,
  tagReviewOperations,
  taxonomyRestoreOperation,
  trendReviewDecideAllOperation,
  trendReviewOperations,
  unreferencedStatusOperations,
)
