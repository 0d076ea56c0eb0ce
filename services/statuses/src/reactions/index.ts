/** Every reaction of statuses. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onAccountChanged } from './on-account-changed.js'
import { onAccountRead } from './on-account-read.js'
import { onAccountRebuilt } from './on-account-rebuilt.js'
import { onAccountRemoved } from './on-account-removed.js'
import { onBlockCreated } from './on-block-created.js'
import { onBookmarksWanted } from './on-bookmarks-wanted.js'
import { onDomainAllowLifted } from './on-domain-allow-lifted.js'
import { onDomainBlocked } from './on-domain-blocked.js'
import { onFiltersWanted } from './on-filters-wanted.js'
import { onFollowCreated } from './on-follow-created.js'
import { onFollowCreatedElsewhere } from './on-follow-created-elsewhere.js'
import { onFollowRemoved } from './on-follow-removed.js'
import { onListChanged } from './on-list-changed.js'
import { onMuteCreated } from './on-mute-created.js'
import { onMuteRemoved } from './on-mute-removed.js'
import { onPreferenceChanged } from './on-preference-changed.js'
import { onStatusCreated } from './on-status-created.js'
import { onStatusCreatedSearch } from './on-status-created-search.js'
import { onStatusEdited } from './on-status-edited.js'

export const reactions: readonly ReactionDoor[] = [
  onAccountChanged,
  onAccountRead,
  onAccountRebuilt,
  onAccountRemoved,
  onBlockCreated,
  onBookmarksWanted,
  onDomainAllowLifted,
  onDomainBlocked,
  onFiltersWanted,
  onFollowCreated,
  onFollowCreatedElsewhere,
  onFollowRemoved,
  onListChanged,
  onMuteCreated,
  onMuteRemoved,
  onPreferenceChanged,
  onStatusCreated,
  onStatusCreatedSearch,
  onStatusEdited,
]
