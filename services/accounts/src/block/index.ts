/** The exports of this module for other modules. */
export { beginBlock, beginBlocks } from './begin.js'
export { blockUri, deleteBlock, renameBlock } from './store.js'
