/** Decisions about statuses, for appeals and for undo. */
export { findAffected } from './act.js'
export { applyStatuses } from './settle.js'
export { endMarks, hasMarks, lockStatusDecision, putStatusDecisions, type StatusDecision } from './store.js'
