/** All blocks of this kind, for operators: an e-mail provider each. */
import { emailDomainBlockFind } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { emailDomainBlocksAfter } from '../../store/email-domain-block.js'
import { emailDomainRuleOf } from '../../views/access-block.js'

const PAGE = 500

export const find = handle(emailDomainBlockFind, async (ctx, _viewer, { after }) => {
  const rows = await emailDomainBlocksAfter(ctx.db, after, PAGE)
  return { blocks: rows.map(emailDomainRuleOf), next: rows.length < PAGE ? null : (rows.at(-1)?.domain ?? null) }
})
