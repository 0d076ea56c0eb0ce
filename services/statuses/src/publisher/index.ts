/** Names of this module that other modules use. */
export { applyPublishers } from './score.js'
export { askAboutPublishers, decidePublisher, type PublisherRow, publisherPage } from './store.js'
