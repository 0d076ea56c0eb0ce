/** What other modules use of the feed. */
export { createHub, type Hub } from './hub.js'
export { resume } from './resume.js'
