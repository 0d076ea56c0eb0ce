/** The exports of this module for other modules. */
export { crawlKind } from './crawl.js'
