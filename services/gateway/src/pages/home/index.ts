/** The pages below `/home`, for an account that is signed in with a browser and has no app yet. */
import type { Edge } from '../../edge/serve.js'
import type { Sessions } from '../session.js'
import type { Pages } from '../visit.js'
import { addAction } from './action.js'
import { addCompose } from './compose.js'
import { createHome } from './frame.js'
import { addPoll } from './poll.js'
import { addThread } from './thread.js'
import { addTimeline } from './timeline.js'

export const addHome = (pages: Pages, sessions: Sessions, edge: Edge): void => {
  const home = createHome(pages, sessions, edge)
  addTimeline(home)
  addCompose(home)
  addThread(home)
  addAction(home)
  addPoll(home)
}
