/** Names of this module that other modules use. */
export { ensureKeys } from './ensure.js'
export { rotateKind } from './rotate.js'
