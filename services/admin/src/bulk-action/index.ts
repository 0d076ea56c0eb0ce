/** The part of bulk actions that other modules use. */
export { bulkActionKind } from './run.js'
