/** The exports of this module for other modules. */
export { copyRemote, isCopyPermitted, type Outcome } from './copy-remote.js'
