/** The exports of this module for other modules. */
export { cullKind } from './cull.js'
export { isSuccessor, staysWithoutHandle } from './handle.rules.js'
export { profileMediaKind } from './profile-media.js'
export { purgeKind } from './purge.js'
export { refreshKind } from './refresh.js'
export { removeRemote } from './remove.js'
export { applyFetchResult, lookUpAccount, refreshInBackground, resolveAccount } from './resolve.js'
export { stampOfRule } from './rules.js'
