/** Exports of the emoji reaction module for other code of statuses. */
export { dropReaction, keepReaction, readReaction } from './remote.js'
export {
  deleteReactionsTo,
  eraseReactionsOf,
  type ReactionEmoji,
  type Reactions,
  reactedByUri,
  reactionOf,
  reactionsOn,
} from './store.js'
export { emojiReactions, reactorsIn } from './view.js'
