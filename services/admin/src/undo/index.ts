/** Exports of this module for other modules: undo. */
export type { Outcome } from './reversal.js'
export { undoEntries } from './undo.js'
