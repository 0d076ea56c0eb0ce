/** Names of this module that other modules use. */
export { privacyOf } from './rules.js'
export { postingOf } from './view.js'
