/** Names of this module that other modules use. */
export { scheduledText } from './present.js'
export { readSchedule } from './rules.js'
export { schedule } from './schedule.js'
export { scheduledOf } from './store.js'
