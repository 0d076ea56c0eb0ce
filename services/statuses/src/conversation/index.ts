/** Names of this module that other modules use. */
export { eraseConversationsOf } from './store.js'
