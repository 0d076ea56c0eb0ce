/** The exports of this module for other modules. */

export { createDocumentFetcher, type DocumentFetcher } from './document-fetcher.js'
export { NEW_BELOW_BACKGROUND } from './request-limits.js'
