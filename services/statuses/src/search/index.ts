/** Names of this module that other modules use. */
export { indexStatuses } from './index-statuses.js'
