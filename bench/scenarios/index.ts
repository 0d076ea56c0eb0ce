/** All scenarios, in the order of the table. */
import type { Scenario } from '../lib/scenario.js'
import { account } from './account.js'
import { accountDeletions } from './account-deletions.js'
import { context } from './context.js'
import { create } from './create.js'
import { deadHosts } from './dead-hosts.js'
import { delivery, deliveryLarge } from './delivery.js'
import { fanOut } from './fan-out.js'
import { home } from './home.js'
import { inbox, inboxAccept } from './inbox.js'
import { memory } from './memory.js'
import { notifications } from './notifications.js'
import { search } from './search.js'
import { stream } from './stream.js'

export const SCENARIOS: readonly Scenario[] = [
  home,
  notifications,
  account,
  context,
  create,
  fanOut,
  inbox,
  inboxAccept,
  delivery,
  deliveryLarge,
  deadHosts,
  accountDeletions,
  stream,
  memory,
  // `search` is last, because it inserts the most data.
  search,
]
