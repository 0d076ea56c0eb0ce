/** The kind of task that deletes all accounts. */
export { selfDestructKind } from './destroy.js'
