/** E-mail domain blocks for the published policy and for undo. */
export {
  deleteEmailDomainBlockById,
  type EmailDomainBlockRow,
  everyEmailDomainBlock,
  insertEmailDomainBlock,
  lockEmailDomainBlock,
} from './store.js'
