/** Every tick of statuses. */
import type { TickDoor } from '@murmuration/kernel'
import { askAbsent } from './ask-absent.js'
import { askTrendReview } from './ask-trend-review.js'
import { cleanUpDue } from './clean-up-due.js'
import { countOverDays } from './count-days.js'
import { endPolls } from './end-polls.js'
import { eraseDeleted } from './erase-deleted.js'
import { eraseSuspended } from './erase-suspended.js'
import { forgetOld } from './forget-old.js'
import { forgetOldPreviews } from './forget-previews.js'
import { forgetTagDays } from './forget-tag-days.js'
import { indexOlder } from './index-older.js'
import { keepMonths } from './keep-months.js'
import { placeUnplaced } from './place-approvals.js'
import { previewDue } from './preview-due.js'
import { publishDue } from './publish-due.js'
import { scoreAllTrends } from './score-trends.js'
import { seekUnreached } from './seek-unreached.js'

export const ticks: readonly TickDoor[] = [
  askAbsent,
  askTrendReview,
  cleanUpDue,
  countOverDays,
  endPolls,
  eraseDeleted,
  eraseSuspended,
  forgetOld,
  forgetOldPreviews,
  forgetTagDays,
  indexOlder,
  keepMonths,
  placeUnplaced,
  previewDue,
  publishDue,
  scoreAllTrends,
  seekUnreached,
]
