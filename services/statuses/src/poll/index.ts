/** The exports of this module for other modules. */
export { editPoll, newPoll, undoEnd } from './poll.js'
