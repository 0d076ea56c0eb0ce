/** Registers the pages below `/home`: a basic web client for signed-in accounts. */
import type { Edge } from '../../edge/serve.js'
import type { Pages } from '../core/page-request.js'
import type { Sessions } from '../core/session.js'
import { addAccounts } from './accounts.js'
import { addAction } from './action.js'
import { addApps } from './apps.js'
import { addCompose } from './compose.js'
import { createHome } from './frame.js'
import { addLists } from './lists.js'
import { addLive } from './live.js'
import { addNotifications } from './notifications.js'
import { addPoll } from './poll.js'
import { addSearch } from './search.js'
import { addThread } from './thread.js'
import { addTimeline } from './timeline.js'

export const addHome = (pages: Pages, sessions: Sessions, edge: Edge): void => {
  const home = createHome(pages, sessions, edge)
  addTimeline(home)
  addCompose(home)
  addThread(home)
  addAction(home)
  addPoll(home)
  addNotifications(home)
  addSearch(home)
  addAccounts(home)
  addLists(home)
  addLive(home)
  addApps(home)
}
