/** The exports of this module for other modules. */
export { privacyOf } from './rules.js'
export { postingOf } from './view.js'
