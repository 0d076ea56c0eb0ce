/** The exports of this module for other modules. */
export { scheduledText } from './present.js'
export { readSchedule } from './rules.js'
export { schedule } from './schedule.js'
export { scheduledOf } from './store.js'
