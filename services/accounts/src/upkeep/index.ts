/** Kinds of tasks for upkeep. */
export { cullKind } from './cull.js'
export { endFollowsKind, followKind } from './follow-all.js'
export { profileMediaKind } from './profile-media.js'
export { purgeKind } from './purge.js'
export { refreshKind } from './refresh.js'
export { rotateKind } from './rotate-keys.js'
