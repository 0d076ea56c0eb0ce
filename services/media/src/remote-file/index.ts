/** The exports of this module for other modules. */
export { copyRemote, mayBeHere, type Outcome } from './copy-remote.js'
