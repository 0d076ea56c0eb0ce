/** Every reaction of federation. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onAccountChanged } from './on-account-changed.js'
import { onAccountMoved } from './on-account-moved.js'
import { onAccountRebuilt } from './on-account-rebuilt.js'
import { onAccountRemoved } from './on-account-removed.js'
import { onBlockCreated } from './on-block-created.js'
import { onBlockRemoved } from './on-block-removed.js'
import { onCollectionChanged } from './on-collection-changed.js'
import { onCollectionCreated } from './on-collection-created.js'
import { onCollectionItemAdded } from './on-collection-item-added.js'
import { onCollectionItemRemoved } from './on-collection-item-removed.js'
import { onCollectionRemoved } from './on-collection-removed.js'
import { onFavouriteCreated } from './on-favourite-created.js'
import { onFavouriteRemoved } from './on-favourite-removed.js'
import { onFollowCreated } from './on-follow-created.js'
import { onFollowRemoved } from './on-follow-removed.js'
import { onFollowRequestCreated } from './on-follow-request-created.js'
import { onFollowRequestRemoved } from './on-follow-request-removed.js'
import { onPollEnded } from './on-poll-ended.js'
import { onPollVoted } from './on-poll-voted.js'
import { onQuoteRequested } from './on-quote-requested.js'
import { onQuoteRevoked } from './on-quote-revoked.js'
import { onReplyRequested } from './on-reply-requested.js'
import { onReportFiled } from './on-report-filed.js'
import { onStatusCreated } from './on-status-created.js'
import { onStatusDeleted } from './on-status-deleted.js'
import { onStatusEdited } from './on-status-edited.js'
import { onStatusPinned } from './on-status-pinned.js'
import { onStatusRefreshed } from './on-status-refreshed.js'
import { onStatusUnpinned } from './on-status-unpinned.js'
import { onTagFeatured } from './on-tag-featured.js'
import { onTagUnfeatured } from './on-tag-unfeatured.js'

export const reactions: readonly ReactionDoor[] = [
  onAccountChanged,
  onAccountMoved,
  onAccountRebuilt,
  onAccountRemoved,
  onBlockCreated,
  onBlockRemoved,
  onCollectionChanged,
  onCollectionCreated,
  onCollectionItemAdded,
  onCollectionItemRemoved,
  onCollectionRemoved,
  onFavouriteCreated,
  onFavouriteRemoved,
  onFollowCreated,
  onFollowRemoved,
  onFollowRequestCreated,
  onFollowRequestRemoved,
  onPollEnded,
  onPollVoted,
  onReplyRequested,
  onReportFiled,
  onStatusCreated,
  onStatusDeleted,
  onQuoteRequested,
  onQuoteRevoked,
  onStatusEdited,
  onStatusPinned,
  onStatusRefreshed,
  onStatusUnpinned,
  onTagFeatured,
  onTagUnfeatured,
]
