/** The exports of this module for other modules. */
export { copyRemote, type Outcome } from './copy-remote.js'
