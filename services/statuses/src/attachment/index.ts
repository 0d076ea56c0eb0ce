/** Names of this module that other modules use. */
export { queueImageRelease, queueRelease } from './release.js'
