/** IP blocks for the published policy. */
export { everyIpBlock } from './store.js'
