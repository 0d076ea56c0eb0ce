/** Undo, as far as other modules use it. */
export type { Outcome } from './reversal.js'
export { undoEntries } from './undo.js'
