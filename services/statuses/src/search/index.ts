/** The exports of this module for other modules. */
export { indexStatuses } from './index-statuses.js'
