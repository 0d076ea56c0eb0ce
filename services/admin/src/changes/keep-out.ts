/** Who is suspended does not come back with the same e-mail address, however it is written. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { canonicalEmailHash } from '@murmuration/kernel'
import { countAccessRules, MOST_ACCESS_RULES } from '../access-rule/index.js'
import { deleteCanonicalEmailBlockOf, insertCanonicalEmailBlock } from '../canonical-email-block/index.js'
import type { Context } from '../context.js'
import { nextRevision } from '../store/policy-revision.js'

/** Blocks the address of an account, or lifts that; published once the transaction holds. Remote accounts have none. */
export const keepOut = async (ctx: Context, tx: Tx, { account }: AdminRecord, wanted: boolean): Promise<void> => {
  if (account.email === null) return
  await nextRevision(tx)
  // As many rules as are published; one more would be known to nobody.
  if (!wanted) await deleteCanonicalEmailBlockOf(tx, account.id)
  else if ((await countAccessRules(tx)) < MOST_ACCESS_RULES)
    await insertCanonicalEmailBlock(tx, {
      id: ctx.ids.next(),
      canonical_email_hash: canonicalEmailHash(account.email),
      account_id: account.id,
      created_at: ctx.clock.date(),
    })
  tx.onCommit(() => {
    ctx.publication.afterChange()
  })
}
