/** The exports of this module for other modules. */
export { followerInboxes, recordsOf } from './audience.js'
export { sendActivity, sendUndo } from './direct-activity.js'
export { sendFollowResponse, writeOwnFollow } from './follow.js'
export { type Publishing, publish } from './publish.js'
export { type Readable, recordReaders } from './reader.js'
