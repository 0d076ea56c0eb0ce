/** Names of this module that other modules use: the feed. */
export { createHub, type Hub } from './hub.js'
export { resume } from './resume.js'
