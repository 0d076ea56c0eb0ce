/** Exports for other modules: the undo of entries of the audit log. */
export type { Outcome } from './reversal.js'
export { undoEntries } from './undo.js'
