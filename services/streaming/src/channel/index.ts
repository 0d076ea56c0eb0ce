/** What other modules use of channels. */
export { type Channel, channelOf, isRefusal, isTrue, NOT_YOUR_LIST, streamOfPath } from './rules.js'
