/** Every operation of notifications. */
import type { OperationDoor } from '@murmuration/kernel'
import { accounts as groupAccounts } from './group/accounts.js'
import { dismiss as dismissGroup } from './group/dismiss.js'
import { listThem as listGroups } from './group/list.js'
import { show as showGroup } from './group/show.js'
import { unread as unreadGroups } from './group/unread.js'
import { changeMailChoice } from './mail-choice/change.js'
import { showMailChoice } from './mail-choice/show.js'
import { unsubscribeMail } from './mail-choice/unsubscribe.js'
import { set as setMarker } from './marker/set.js'
import { show as showMarker } from './marker/show.js'
import { cards } from './notification/cards.js'
import { clear } from './notification/clear.js'
import { dismiss } from './notification/dismiss.js'
import { listThem } from './notification/list.js'
import { show } from './notification/show.js'
import { unread } from './notification/unread.js'
import { change as changePolicy } from './policy/change.js'
import { change as changeFilters } from './policy/change-filters.js'
import { show as showPolicy } from './policy/show.js'
import { show as showFilters } from './policy/show-filters.js'
import { change as changeSubscription } from './push-subscription/change.js'
import { changeForSession } from './push-subscription/change-for-session.js'
import { create as createSubscription } from './push-subscription/create.js'
import { createForSession } from './push-subscription/create-for-session.js'
import { end as endSubscription } from './push-subscription/delete.js'
import { show as showSubscription } from './push-subscription/show.js'
import { unsubscribe } from './push-subscription/unsubscribe.js'
import { acceptOne } from './request/accept.js'
import { acceptMany } from './request/accept-many.js'
import { dismissOne } from './request/dismiss.js'
import { dismissMany } from './request/dismiss-many.js'
import { listThem as listRequests } from './request/list.js'
import { merged } from './request/merged.js'
import { show as showRequest } from './request/show.js'

export const operations: readonly OperationDoor[] = [
  groupAccounts,
  dismissGroup,
  listGroups,
  showGroup,
  unreadGroups,
  changeMailChoice,
  showMailChoice,
  unsubscribeMail,
  setMarker,
  showMarker,
  cards,
  clear,
  dismiss,
  listThem,
  show,
  unread,
  changePolicy,
  changeFilters,
  showPolicy,
  showFilters,
  changeSubscription,
  createSubscription,
  createForSession,
  changeForSession,
  endSubscription,
  showSubscription,
  unsubscribe,
  acceptOne,
  acceptMany,
  dismissOne,
  dismissMany,
  listRequests,
  merged,
  showRequest,
]
