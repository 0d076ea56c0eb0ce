/** User name blocks for the published policy. */
export { everyUsernameBlock } from './store.js'
