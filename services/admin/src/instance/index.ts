/** The exports of this module for other modules. */
export { createWeeks } from './activity.js'
export { createInstanceCounts, type InstanceCountCache } from './counts.js'
export { createPeers } from './peers.js'
export { type Pictures, readPictures } from './pictures.js'
