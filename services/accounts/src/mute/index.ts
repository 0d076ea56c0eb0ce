/** The exports of this module for other modules. */
export { muteAs } from './begin.js'
export { announceMuteEnds } from './end.js'
