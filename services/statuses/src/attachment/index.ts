/** Files of statuses and preview cards. */
export { queueRelease } from './release.js'
