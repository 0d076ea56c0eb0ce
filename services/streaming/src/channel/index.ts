/** Names of this module that other modules use: channels. */
export { type Channel, channelOf, isRefusal, isTrue, NOT_YOUR_LIST, streamOfPath } from './rules.js'
