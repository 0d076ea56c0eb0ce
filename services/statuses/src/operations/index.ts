/** Every operation of statuses. */
import type { OperationDoor } from '@murmuration/kernel'
import { generate as generateAnnualReport } from './annual-report/generate.js'
import { list as listAnnualReports } from './annual-report/list.js'
import { read as readAnnualReport } from './annual-report/read.js'
import { show as showAnnualReport } from './annual-report/show.js'
import { state as annualReportState } from './annual-report/state.js'
import { note as noteApproval } from './approval/note.js'
import { withdraw as withdrawApproval } from './approval/withdraw.js'
import { show as showAsyncRefresh } from './async-refresh/show.js'
import { add as addBookmark } from './bookmark/add.js'
import { list as listBookmarks } from './bookmark/list.js'
import { remove as removeBookmark } from './bookmark/remove.js'
import { change as changeCleanup } from './cleanup/change.js'
import { show as showCleanup } from './cleanup/show.js'
import { byIds as conversationsByIds } from './conversation/by-ids.js'
import { list as listConversations } from './conversation/list.js'
import { read as readConversation } from './conversation/read.js'
import { remove as removeConversation } from './conversation/remove.js'
import { unread as unreadConversation } from './conversation/unread.js'
import { recount } from './count/recount.js'
import { add as addFavourite } from './favourite/add.js'
import { list as listFavourites } from './favourite/list.js'
import { people as favouritedBy } from './favourite/people.js'
import { remove as removeFavourite } from './favourite/remove.js'
import { add as addFeaturedTag } from './featured-tag/add.js'
import { list as listFeaturedTags } from './featured-tag/list.js'
import { listOf as listFeaturedTagsOf } from './featured-tag/list-of.js'
import { names as featuredTagNames } from './featured-tag/names.js'
import { putRemote as putRemoteFeaturedTag } from './featured-tag/put-remote.js'
import { remove as removeFeaturedTag } from './featured-tag/remove.js'
import { suggest as suggestFeaturedTags } from './featured-tag/suggest.js'
import { count as countFilters } from './filter/count.js'
import { create as createFilter } from './filter/create.js'
import { list as listFilters } from './filter/list.js'
import { remove as removeFilter } from './filter/remove.js'
import { show as showFilter } from './filter/show.js'
import { take as takeFilters } from './filter/take.js'
import { update as updateFilter } from './filter/update.js'
import { add as addFilterKeyword } from './filter-keyword/add.js'
import { list as listFilterKeywords } from './filter-keyword/list.js'
import { remove as removeFilterKeyword } from './filter-keyword/remove.js'
import { show as showFilterKeyword } from './filter-keyword/show.js'
import { update as updateFilterKeyword } from './filter-keyword/update.js'
import { add as addFilterStatus } from './filter-status/add.js'
import { list as listFilterStatuses } from './filter-status/list.js'
import { remove as removeFilterStatus } from './filter-status/remove.js'
import { show as showFilterStatus } from './filter-status/show.js'
import { show as showHistory } from './history/show.js'
import { applyRemote as applyRemoteInteraction } from './interaction/apply-remote.js'
import { listening as peopleListening } from './live/listening.js'
import { uris as takeMarkUris } from './mark/uris.js'
import { lately as mentionedLately } from './mention/lately.js'
import { of as showEmbed } from './o-embed/of.js'
import { show as showOEmbed } from './o-embed/show.js'
import { add as addPin } from './pin/add.js'
import { putRemote as putRemotePin } from './pin/put-remote.js'
import { remove as removePin } from './pin/remove.js'
import { show as showPoll } from './poll/show.js'
import { vote } from './poll/vote.js'
import { voteRemote } from './poll/vote-remote.js'
import { voters as pollVoters } from './poll/voters.js'
import { show as showProfile } from './profile/show.js'
import { update as updateProfile } from './profile/update.js'
import { answer as answerQuote } from './quote/answer.js'
import { list as listQuotes } from './quote/list.js'
import { localPeople as localQuoters } from './quote/local-people.js'
import { request as requestQuote } from './quote/request.js'
import { revoke as revokeQuote } from './quote/revoke.js'
import { stamp as showStamp } from './quote/stamp.js'
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
import { approve as approveReply } from './status/approve-reply.js'
import { byWeek as statusesByWeek } from './status/by-week.js'
import { context as statusContext } from './status/context.js'
import { create as createStatus } from './status/create.js'
import { remove as deleteStatus } from './status/delete.js'
import { edit as editStatus } from './status/edit.js'
import { figures as statusFigures } from './status/figures.js'
import { forReport as statusesForReport } from './status/for-report.js'
import { heed as heedAnswer } from './status/heed-answer.js'
import { interactionPolicy as setInteractionPolicy } from './status/interaction-policy.js'
import { list as listStatuses } from './status/list.js'
import { outbox as statusOutbox } from './status/outbox.js'
import { ownIds } from './status/own-ids.js'
import { putRemote as putRemoteStatus } from './status/put-remote.js'
import { putRemoteMany as putRemoteStatuses } from './status/put-remote-many.js'
import { records as statusRecords } from './status/records.js'
import { removeRemote as removeRemoteStatus } from './status/remove-remote.js'
import { replies as statusReplies } from './status/replies.js'
import { resolve as resolveStatus } from './status/resolve.js'
import { show as showStatus } from './status/show.js'
import { source as sourceOfStatus } from './status/source.js'
import { sources as statusSources } from './status/sources.js'
import { feature as featureTag } from './tag/feature.js'
import { follow as followTag } from './tag/follow.js'
import { listFollowed as listFollowedTags } from './tag/list-followed.js'
import { show as showTag } from './tag/show.js'
import { unfeature as unfeatureTag } from './tag/unfeature.js'
import { unfollow as unfollowTag } from './tag/unfollow.js'
import { mute as muteThread } from './thread/mute.js'
import { show as showThread } from './thread/show.js'
import { standings as threadStandings } from './thread/standings.js'
import { unmute as unmuteThread } from './thread/unmute.js'
import { account as accountTimeline } from './timeline/account.js'
import { direct as directTimeline } from './timeline/direct.js'
import { home as homeTimeline } from './timeline/home.js'
import { link as linkTimeline } from './timeline/link.js'
import { list as listTimeline } from './timeline/list.js'
import { publicly as publicTimeline } from './timeline/public.js'
import { tag as tagTimeline } from './timeline/tag.js'
import { languages as translationLanguages } from './translation/languages.js'
import { make as translateStatus } from './translation/make.js'
import { links as trendLinks } from './trend/links.js'
import { statuses as trendStatuses } from './trend/statuses.js'
import { tags as trendTags } from './trend/tags.js'
import { create as createV1Filter } from './v1-filter/create.js'
import { list as listV1Filters } from './v1-filter/list.js'
import { remove as removeV1Filter } from './v1-filter/remove.js'
import { show as showV1Filter } from './v1-filter/show.js'
import { update as updateV1Filter } from './v1-filter/update.js'

export const operations: readonly OperationDoor[] = [
  annualReportState,
  generateAnnualReport,
  listAnnualReports,
  readAnnualReport,
  showAnnualReport,
  recount,
  showAsyncRefresh,
  accountTimeline,
  addBookmark,
  takeMarkUris,
  ownIds,
  addFavourite,
  addFeaturedTag,
  addFilterKeyword,
  addFilterStatus,
  addPin,
  addReblog,
  answerQuote,
  applyRemoteInteraction,
  changeCleanup,
  showCleanup,
  conversationsByIds,
  countFilters,
  createFilter,
  createStatus,
  createV1Filter,
  deleteStatus,
  directTimeline,
  editStatus,
  favouritedBy,
  featureTag,
  featuredTagNames,
  followTag,
  homeTimeline,
  listBookmarks,
  listConversations,
  listFavourites,
  listFeaturedTags,
  listFeaturedTagsOf,
  listFilterKeywords,
  listFilterStatuses,
  listFilters,
  listFollowedTags,
  listQuotes,
  listScheduled,
  listStatuses,
  listTimeline,
  listV1Filters,
  localBoosters,
  localQuoters,
  mentionedLately,
  moveScheduled,
  muteThread,
  pollVoters,
  publicTimeline,
  putRemoteFeaturedTag,
  putRemotePin,
  putRemoteStatus,
  putRemoteStatuses,
  readConversation,
  rebloggedBy,
  removeBookmark,
  removeConversation,
  removeFavourite,
  removeFeaturedTag,
  removeFilter,
  removeFilterKeyword,
  removeFilterStatus,
  removePin,
  removeReblog,
  approveReply,
  heedAnswer,
  removeRemoteStatus,
  removeScheduled,
  removeV1Filter,
  renderByIds,
  renderForListeners,
  requestQuote,
  resolveStatus,
  revokeQuote,
  search,
  setInteractionPolicy,
  showFilter,
  showFilterKeyword,
  showFilterStatus,
  showHistory,
  showPoll,
  showProfile,
  showScheduled,
  showStamp,
  showStatus,
  showTag,
  showThread,
  showV1Filter,
  sourceOfStatus,
  statusFigures,
  statusesByWeek,
  statusOutbox,
  statusRecords,
  statusContext,
  statusReplies,
  statusSources,
  statusesForReport,
  suggestFeaturedTags,
  tagTimeline,
  showEmbed,
  showOEmbed,
  linkTimeline,
  peopleListening,
  threadStandings,
  translateStatus,
  translationLanguages,
  trendLinks,
  trendStatuses,
  trendTags,
  unfeatureTag,
  unfollowTag,
  unmuteThread,
  unreadConversation,
  takeFilters,
  updateFilter,
  updateFilterKeyword,
  updateProfile,
  updateV1Filter,
  vote,
  voteRemote,
  noteApproval,
  withdrawApproval,
]
