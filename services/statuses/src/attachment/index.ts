/** Names of this module that other modules use. */
export { queueRelease } from './release.js'
