/** Names of this module that other modules use. */
export { moderate } from './moderate.js'
export { decisionsOn } from './store.js'
