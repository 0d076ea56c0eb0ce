/** Every operation of notifications. */
import type { OperationDoor } from '@murmuration/kernel'
import { set as setMarker } from './marker/set.js'
import { show as showMarker } from './marker/show.js'
import { cards } from './notification/cards.js'
import { clear } from './notification/clear.js'
import { dismiss } from './notification/dismiss.js'
import { listThem } from './notification/list.js'
import { show } from './notification/show.js'
import { unread } from './notification/unread.js'
import { change } from './push-subscription/change.js'
import { create } from './push-subscription/create.js'
import { end } from './push-subscription/delete.js'
import { show as showSubscription } from './push-subscription/show.js'
import { unsubscribe } from './push-subscription/unsubscribe.js'

export const operations: readonly OperationDoor[] = [
  setMarker,
  showMarker,
  cards,
  clear,
  dismiss,
  listThem,
  show,
  unread,
  change,
  create,
  end,
  showSubscription,
  unsubscribe,
]
