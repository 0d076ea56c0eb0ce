/** The exports of this module for other modules. */
export { applyPublishers } from './score.js'
export { askAboutPublishers, decidePublisher, type PublisherRow, publisherPage } from './store.js'
