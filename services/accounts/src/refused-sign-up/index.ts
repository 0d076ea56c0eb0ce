/** Counting of refused sign-ups, for signing up. */
export { noteRefused } from './store.js'
