/** The exports of this module for other modules. */
export { queueImageRelease, queueRelease } from './release.js'
