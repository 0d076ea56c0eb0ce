/** Names of this module that other modules use. */
export { beginBlock, beginBlocks } from './begin.js'
export { blockUri, deleteBlock, renameBlock } from './store.js'
