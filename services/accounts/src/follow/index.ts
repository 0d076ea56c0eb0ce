/** The exports of this module for other modules. */
export { ACCEPT_PAGE, acceptRequests, beginFollow, endFollows, endRequests, requestFollow } from './begin.js'
export { followAs } from './follow-as.js'
export { followFromRemote } from './from-remote.js'
export { endFollowsKind, followKind } from './many.js'
export { DEFAULT_FOLLOW_OPTIONS, followOutcome } from './rules.js'
