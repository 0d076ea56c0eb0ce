/** The exports of this module for other modules. */
export { setRemoteFeatured, tagOfPath } from './feature.js'
