/** The exports of this module for other modules. */
export { ensureKeys } from './ensure.js'
export { keySecrets } from './renewal.store.js'
export { rotateKind } from './rotate.js'
