/** Exports decisions of staff about statuses to the modules `appeal` and `undo`. */
export { findAffected } from './act.js'
export { applyStatuses } from './enforce.js'
export { endMarks, hasMarks, lockStatusDecision, putStatusDecisions, type StatusDecision } from './store.js'
