/** Names of this module that other modules use. */
export { copyRemote, type Outcome } from './copy-remote.js'
