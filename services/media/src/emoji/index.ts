/** The exports of this module for other modules. */
export { purgeEmojiKind } from './purge.js'
