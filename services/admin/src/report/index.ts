/** Names of this module that other modules use. */
export { tellReports } from './announce.js'
export { changeReport } from './change.js'
export { showAdminReport, showAdminReports } from './show.js'
