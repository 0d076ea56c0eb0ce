/** The exports of this module for other modules: channels. */
export { type Channel, channelOf, isRefusal, isStreamPath, isTrue, NOT_YOUR_LIST, streamOfPath } from './rules.js'
