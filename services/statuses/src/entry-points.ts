/** Every entry point of statuses. Written by `npm run gen`: do not edit. */
import { entryPoints } from '@murmuration/kernel'
import * as accountExportOperations from './account-export/operations.js'
import * as annualReportJobs from './annual-report/jobs.js'
import * as annualReportOperations from './annual-report/operations.js'
import * as approvalJobs from './approval/jobs.js'
import * as approvalOperations from './approval/operations.js'
import * as approvalTicks from './approval/ticks.js'
import * as asyncRefreshOperations from './async-refresh/operations.js'
import * as attachmentJobs from './attachment/jobs.js'
import * as attachmentTicks from './attachment/ticks.js'
import * as authorOperations from './author/operations.js'
import * as authorReactions from './author/reactions.js'
import * as authorTicks from './author/ticks.js'
import * as bookmarkJobs from './bookmark/jobs.js'
import * as bookmarkOperations from './bookmark/operations.js'
import * as bookmarkReactions from './bookmark/reactions.js'
import * as boostJobs from './boost/jobs.js'
import * as boostOperations from './boost/operations.js'
import * as cacheOperations from './cache/operations.js'
import * as cleanupJobs from './cleanup/jobs.js'
import * as cleanupOperations from './cleanup/operations.js'
import * as cleanupTicks from './cleanup/ticks.js'
import * as conversationJobs from './conversation/jobs.js'
import * as conversationOperations from './conversation/operations.js'
import * as conversationReactions from './conversation/reactions.js'
import * as countOperations from './count/operations.js'
import * as countTicks from './count/ticks.js'
import * as deletionOperations from './deletion/operations.js'
import * as embedOperations from './embed/operations.js'
import * as emojiReactionOperations from './emoji-reaction/operations.js'
import * as favouriteOperations from './favourite/operations.js'
import * as featuredTagJobs from './featured-tag/jobs.js'
import * as featuredTagOperations from './featured-tag/operations.js'
import * as featuredTagProfileOperation from './featured-tag/profile.operation.js'
import * as feedDropAllJob from './feed/drop-all.job.js'
import * as feedFanOutTagsJob from './feed/fan-out-tags.job.js'
import * as feedFanOutJob from './feed/fan-out.job.js'
import * as feedOperations from './feed/operations.js'
import * as feedReactions from './feed/reactions.js'
import * as feedRemoveFromFeedsJob from './feed/remove-from-feeds.job.js'
import * as feedRemoveTagJob from './feed/remove-tag.job.js'
import * as feedTimelineOperation from './feed/timeline.operation.js'
import * as filterFileOperation from './filter/file.operation.js'
import * as filterJobs from './filter/jobs.js'
import * as filterKeywordOperation from './filter/keyword.operation.js'
import * as filterOperations from './filter/operations.js'
import * as filterReactions from './filter/reactions.js'
import * as filterStatusOperation from './filter/status.operation.js'
import * as filterV1Operation from './filter/v1.operation.js'
import * as liveOperations from './live/operations.js'
import * as mentionJobs from './mention/jobs.js'
import * as mentionOperations from './mention/operations.js'
import * as mentionTicks from './mention/ticks.js'
import * as moderatedStatusOperations from './moderated-status/operations.js'
import * as pinOperations from './pin/operations.js'
import * as pollOperations from './poll/operations.js'
import * as pollTicks from './poll/ticks.js'
import * as previewCardJobs from './preview-card/jobs.js'
import * as previewCardOperations from './preview-card/operations.js'
import * as previewCardTicks from './preview-card/ticks.js'
import * as purgeJobs from './purge/jobs.js'
import * as purgeTicks from './purge/ticks.js'
import * as quoteOperations from './quote/operations.js'
import * as quoteRequestOperation from './quote/request.operation.js'
import * as remoteFetchAuthorJob from './remote/fetch-author.job.js'
import * as remoteJobs from './remote/jobs.js'
import * as remoteOperations from './remote/operations.js'
import * as remoteReactions from './remote/reactions.js'
import * as remoteTicks from './remote/ticks.js'
import * as scheduledJobs from './scheduled/jobs.js'
import * as scheduledOperations from './scheduled/operations.js'
import * as scheduledTicks from './scheduled/ticks.js'
import * as searchOperations from './search/operations.js'
import * as searchReactions from './search/reactions.js'
import * as searchTicks from './search/ticks.js'
import * as statusPartitionTicks from './status-partition/ticks.js'
import * as statusCreateOperation from './status/create.operation.js'
import * as statusEditOperation from './status/edit.operation.js'
import * as statusOperations from './status/operations.js'
import * as statusRecordOperation from './status/record.operation.js'
import * as statusTicks from './status/ticks.js'
import * as tagReviewOperations from './tag-review/operations.js'
import * as tagOperations from './tag/operations.js'
import * as tagReactions from './tag/reactions.js'
import * as tagTicks from './tag/ticks.js'
import * as taxonomyTicks from './taxonomy/ticks.js'
import * as threadJobs from './thread/jobs.js'
import * as threadOperations from './thread/operations.js'
import * as timelineAccountOperation from './timeline/account.operation.js'
import * as timelineOperations from './timeline/operations.js'
import * as translationOperations from './translation/operations.js'
import * as trendReviewDecideAllOperation from './trend-review/decide-all.operation.js'
import * as trendReviewOperations from './trend-review/operations.js'
import * as trendReviewPublisherOperation from './trend-review/publisher.operation.js'
import * as trendReviewRestoreOperation from './trend-review/restore.operation.js'
import * as trendOperations from './trend/operations.js'
import * as trendTicks from './trend/ticks.js'
import * as unreferencedStatusOperations from './unreferenced-status/operations.js'

export const { operations, reactions, jobs, ticks } = entryPoints(
  accountExportOperations,
  annualReportJobs,
  annualReportOperations,
  approvalJobs,
  approvalOperations,
  approvalTicks,
  asyncRefreshOperations,
  attachmentJobs,
  attachmentTicks,
  authorOperations,
  authorReactions,
  authorTicks,
  bookmarkJobs,
  bookmarkOperations,
  bookmarkReactions,
  boostJobs,
  boostOperations,
  cacheOperations,
  cleanupJobs,
  cleanupOperations,
  cleanupTicks,
  conversationJobs,
  conversationOperations,
  conversationReactions,
  countOperations,
  countTicks,
  deletionOperations,
  embedOperations,
  emojiReactionOperations,
  favouriteOperations,
  featuredTagJobs,
  featuredTagOperations,
  featuredTagProfileOperation,
  feedDropAllJob,
  feedFanOutTagsJob,
  feedFanOutJob,
  feedOperations,
  feedReactions,
  feedRemoveFromFeedsJob,
  feedRemoveTagJob,
  feedTimelineOperation,
  filterFileOperation,
  filterJobs,
  filterKeywordOperation,
  filterOperations,
  filterReactions,
  filterStatusOperation,
  filterV1Operation,
  liveOperations,
  mentionJobs,
  mentionOperations,
  mentionTicks,
  moderatedStatusOperations,
  pinOperations,
  pollOperations,
  pollTicks,
  previewCardJobs,
  previewCardOperations,
  previewCardTicks,
  purgeJobs,
  purgeTicks,
  quoteOperations,
  quoteRequestOperation,
  remoteFetchAuthorJob,
  remoteJobs,
  remoteOperations,
  remoteReactions,
  remoteTicks,
  scheduledJobs,
  scheduledOperations,
  scheduledTicks,
  searchOperations,
  searchReactions,
  searchTicks,
  statusPartitionTicks,
  statusCreateOperation,
  statusEditOperation,
  statusOperations,
  statusRecordOperation,
  statusTicks,
  tagReviewOperations,
  tagOperations,
  tagReactions,
  tagTicks,
  taxonomyTicks,
  threadJobs,
  threadOperations,
  timelineAccountOperation,
  timelineOperations,
  translationOperations,
  trendReviewDecideAllOperation,
  trendReviewOperations,
  trendReviewPublisherOperation,
  trendReviewRestoreOperation,
  trendOperations,
  trendTicks,
  unreferencedStatusOperations,
)
