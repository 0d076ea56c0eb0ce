/** Names of this module that other modules use. */
export { editPoll, newPoll } from './poll.js'
