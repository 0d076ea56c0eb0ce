/** The exports of this module for other modules. */
export { tellReports } from './announce.js'
export { changeReport } from './change.js'
export { showAdminReport, showAdminReports } from './show.js'
