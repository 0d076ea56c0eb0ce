/** The exports of this module for other modules. */
export { eraseConversationsOf } from './store.js'
