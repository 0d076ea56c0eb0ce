/** E-mail domain blocks for the published policy. */
export { everyEmailDomainBlock } from './store.js'
