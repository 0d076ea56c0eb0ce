/** The exports of this module for other modules: the feed. */
export { createHub, type Hub } from './hub.js'
export { resume } from './resume.js'
