/** Custom emoji of other servers, and the upkeep of custom emoji. */
export { purgeEmojiKind } from './purge.js'
