/** All blocks of this kind, for operators: the hash of an e-mail address each. */
import { canonicalEmailBlockFind } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { canonicalEmailBlocksAfter } from '../../store/canonical-email-block.js'
import { canonicalEmailBlockOf } from '../../views/access-block.js'

const PAGE = 500

export const find = handle(canonicalEmailBlockFind, async (ctx, _viewer, { after }) => {
  const rows = await canonicalEmailBlocksAfter(ctx.db, after, PAGE)
  const next = rows.length < PAGE ? null : (rows.at(-1)?.canonical_email_hash ?? null)
  return { blocks: rows.map(canonicalEmailBlockOf), next }
})
