/** IP blocks for the published policy and for undo. */
export { deleteIpBlockById, everyIpBlock, type IpBlockRow, insertIpBlock, lockIpBlock, updateIpBlock } from './store.js'
