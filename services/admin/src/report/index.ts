/** The exports of this module for other modules. */
export { announceReports } from './announce.js'
export { changeReport } from './change.js'
export { showAdminReport, showAdminReports } from './show.js'
