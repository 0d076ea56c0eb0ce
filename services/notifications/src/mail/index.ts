/** The exports of this module for other modules. */
export { queueMail, queueMails } from './begin.js'
export { mailDelay } from './choice.rules.js'
export { mailChoiceOf } from './choice.store.js'
export { isListening } from './listening.js'
export { insertWaitingNotification, removeMailsOf } from './store.js'
