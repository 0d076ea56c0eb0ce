/** The exports of this module for other modules. */
export { ensureKeys } from './ensure.js'
export { rotateKind } from './rotate.js'
