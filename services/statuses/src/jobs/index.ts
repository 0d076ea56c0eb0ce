/** Every job of statuses. */
import type { JobDoor } from '@murmuration/kernel'
import { bringAuthor } from './bring-author.js'
import { bringBookmarksWork } from './bring-bookmarks.js'
import { bringFiltersWork } from './bring-filters.js'
import { bringReplies } from './bring-replies.js'
import { checkQuote } from './check-quote.js'
import { checkReply } from './check-reply.js'
import { cleanUp } from './clean-up.js'
import { eraseAuthor } from './erase-author.js'
import { fanOut } from './fan-out.js'
import { fanOutTags } from './fan-out-tags.js'
import { fetchParent } from './fetch-parent.js'
import { fileConversation } from './file-conversation.js'
import { findMentioned } from './find-mentioned.js'
import { makeAnnualReport } from './make-annual-report.js'
import { previewLink } from './preview-link.js'
import { publishScheduled } from './publish-scheduled.js'
import { refreshStatus } from './refresh-status.js'
import { removeReblogs } from './remove-reblogs.js'
import { syncFeaturedTags } from './sync-featured-tags.js'
import { takeOutTag } from './take-out-tag.js'
import { unburyAuthor } from './unbury-author.js'
import { withdraw } from './withdraw.js'

export const jobs: readonly JobDoor[] = [
  bringAuthor,
  bringBookmarksWork,
  bringFiltersWork,
  bringReplies,
  checkQuote,
  checkReply,
  cleanUp,
  eraseAuthor,
  fanOut,
  fanOutTags,
  fetchParent,
  fileConversation,
  findMentioned,
  makeAnnualReport,
  previewLink,
  publishScheduled,
  refreshStatus,
  removeReblogs,
  syncFeaturedTags,
  takeOutTag,
  unburyAuthor,
  withdraw,
]
