/** The exports of this module for other modules. */
export { editPoll, newPoll } from './poll.js'
