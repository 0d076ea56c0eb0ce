/** Every operation of statuses. */
import type { OperationDoor } from '@murmuration/kernel'
import { add as addBookmark } from './bookmark/add.js'
import { list as listBookmarks } from './bookmark/list.js'
import { remove as removeBookmark } from './bookmark/remove.js'
import { add as addFavourite } from './favourite/add.js'
import { list as listFavourites } from './favourite/list.js'
import { people as favouritedBy } from './favourite/people.js'
import { remove as removeFavourite } from './favourite/remove.js'
import { show as showHistory } from './history/show.js'
import { applyRemote as applyRemoteInteraction } from './interaction/apply-remote.js'
import { add as addPin } from './pin/add.js'
import { remove as removePin } from './pin/remove.js'
import { show as showPoll } from './poll/show.js'
import { vote } from './poll/vote.js'
import { voters as pollVoters } from './poll/voters.js'
import { add as addReblog } from './reblog/add.js'
import { localPeople as localBoosters } from './reblog/local-people.js'
import { people as rebloggedBy } from './reblog/people.js'
import { remove as removeReblog } from './reblog/remove.js'
import { byIds as renderByIds } from './render/by-ids.js'
import { forListeners as renderForListeners } from './render/for-listeners.js'
import { list as listScheduled } from './scheduled/list.js'
import { move as moveScheduled } from './scheduled/move.js'
import { remove as removeScheduled } from './scheduled/remove.js'
import { show as showScheduled } from './scheduled/show.js'
import { find as search } from './search/find.js'
import { create as createStatus } from './status/create.js'
import { remove as deleteStatus } from './status/delete.js'
import { edit as editStatus } from './status/edit.js'
import { figures as statusFigures } from './status/figures.js'
import { forReport as statusesForReport } from './status/for-report.js'
import { list as listStatuses } from './status/list.js'
import { outbox as statusOutbox } from './status/outbox.js'
import { putRemote as putRemoteStatus } from './status/put-remote.js'
import { records as statusRecords } from './status/records.js'
import { removeRemote as removeRemoteStatus } from './status/remove-remote.js'
import { resolve as resolveStatus } from './status/resolve.js'
import { show as showStatus } from './status/show.js'
import { source as sourceOfStatus } from './status/source.js'
import { sources as statusSources } from './status/sources.js'
import { mute as muteThread } from './thread/mute.js'
import { show as showThread } from './thread/show.js'
import { standings as threadStandings } from './thread/standings.js'
import { unmute as unmuteThread } from './thread/unmute.js'
import { account as accountTimeline } from './timeline/account.js'
import { home as homeTimeline } from './timeline/home.js'
import { list as listTimeline } from './timeline/list.js'
import { publicly as publicTimeline } from './timeline/public.js'
import { tag as tagTimeline } from './timeline/tag.js'

export const operations: readonly OperationDoor[] = [
  accountTimeline,
  addBookmark,
  addFavourite,
  addPin,
  addReblog,
  applyRemoteInteraction,
  createStatus,
  deleteStatus,
  editStatus,
  favouritedBy,
  homeTimeline,
  listBookmarks,
  listFavourites,
  listScheduled,
  listStatuses,
  listTimeline,
  localBoosters,
  moveScheduled,
  muteThread,
  pollVoters,
  publicTimeline,
  putRemoteStatus,
  rebloggedBy,
  removeBookmark,
  removeFavourite,
  removePin,
  removeReblog,
  removeRemoteStatus,
  removeScheduled,
  renderByIds,
  renderForListeners,
  resolveStatus,
  search,
  showHistory,
  showPoll,
  showScheduled,
  showStatus,
  showThread,
  sourceOfStatus,
  statusFigures,
  statusOutbox,
  statusRecords,
  statusSources,
  statusesForReport,
  tagTimeline,
  threadStandings,
  unmuteThread,
  vote,
]
