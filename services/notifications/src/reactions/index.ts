/** Every reaction of notifications. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onAccountChanged } from './on-account-changed.js'
import { onAccountJoined } from './on-account-joined.js'
import { onAccountRemoved } from './on-account-removed.js'
import { onAnnualReportMade } from './on-annual-report-made.js'
import { onArchiveReady } from './on-archive-ready.js'
import { onBlockCreated } from './on-block-created.js'
import { onCollectionChanged } from './on-collection-changed.js'
import { onCollectionItemAdded } from './on-collection-item-added.js'
import { onCollectionItemRemoved } from './on-collection-item-removed.js'
import { onCollectionRemoved } from './on-collection-removed.js'
import { onDomainBlockCreated } from './on-domain-block-created.js'
import { onFavouriteCreated } from './on-favourite-created.js'
import { onFavouriteRemoved } from './on-favourite-removed.js'
import { onFollowCreated } from './on-follow-created.js'
import { onFollowRemoved } from './on-follow-removed.js'
import { onFollowRequestCreated } from './on-follow-request-created.js'
import { onFollowRequestRemoved } from './on-follow-request-removed.js'
import { onLetterWritten } from './on-letter-written.js'
import { onMuteCreated } from './on-mute-created.js'
import { onNotificationCreated } from './on-notification-created.js'
import { onPollEnded } from './on-poll-ended.js'
import { onQuoteAccepted } from './on-quote-accepted.js'
import { onRelationshipsSevered } from './on-relationships-severed.js'
import { onReportChanged } from './on-report-changed.js'
import { onReportFiled } from './on-report-filed.js'
import { onScheduledFailed } from './on-scheduled-failed.js'
import { onStatusCreated } from './on-status-created.js'
import { onStatusDeleted } from './on-status-deleted.js'
import { onStatusEdited } from './on-status-edited.js'
import { onStrikeCreated } from './on-strike-created.js'
import { onTermsPublished } from './on-terms-published.js'
import { onTokenRevoked } from './on-token-revoked.js'
import { onTrendReviewWanted } from './on-trend-review-wanted.js'

export const reactions: readonly ReactionDoor[] = [
  onAccountChanged,
  onAccountJoined,
  onAccountRemoved,
  onAnnualReportMade,
  onArchiveReady,
  onBlockCreated,
  onCollectionChanged,
  onCollectionItemAdded,
  onCollectionItemRemoved,
  onCollectionRemoved,
  onDomainBlockCreated,
  onFavouriteCreated,
  onFavouriteRemoved,
  onFollowCreated,
  onFollowRemoved,
  onFollowRequestCreated,
  onFollowRequestRemoved,
  onLetterWritten,
  onMuteCreated,
  onNotificationCreated,
  onPollEnded,
  onQuoteAccepted,
  onRelationshipsSevered,
  onReportChanged,
  onReportFiled,
  onScheduledFailed,
  onStatusCreated,
  onStatusDeleted,
  onStatusEdited,
  onStrikeCreated,
  onTermsPublished,
  onTokenRevoked,
  onTrendReviewWanted,
]
