/** Names of this module that other modules use. */
export { crawlKind } from './crawl.js'
