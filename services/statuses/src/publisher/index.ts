/** Exports of the publisher module for other code of statuses. */
export { applyPublishers } from './score.js'
export { askAboutPublishers } from './store.js'
