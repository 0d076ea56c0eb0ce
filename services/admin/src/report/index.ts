/** The exports of this module for other modules. */
export { announceReports } from './announce.js'
export { changeReport } from './change.js'
export { reopenReportsOf, resolveReportsOf } from './resolve.js'
export { showAdminReport, showAdminReports } from './show.js'
