/** The exports of this module for other modules. */
export { applyPublishers } from './score.js'
export { decidePublisher, type PublisherRow, publisherPage, requestPublisherReview } from './store.js'
