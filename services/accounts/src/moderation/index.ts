/** The exports of this module for other modules. */
export { moderate } from './moderate.js'
export { decisionsOn } from './store.js'
