/** Blocks the e-mail addresses of suspended accounts, in every spelling. */
import type { AdminRecord } from '@murmuration/contracts/accounts'
import type { Tx } from '@murmuration/db'
import { canonicalEmailHash } from '@murmuration/kernel'
import { countAccessRules, MAX_ACCESS_RULES } from '../access-rule/index.js'
import {
  deleteCanonicalEmailBlocksOf,
  insertCanonicalEmailBlocks,
  insertEmailHolders,
} from '../canonical-email-block/index.js'
import type { Context } from '../context.js'
import { nextRevision } from '../core/policy-revision.store.js'

/**
 * Blocks the e-mail addresses of accounts, or removes these blocks. The blocks are published after the commit. Remote
 * accounts have no address.
 */
export const setEmailBlocks = async (
  ctx: Context,
  tx: Tx,
  targets: readonly AdminRecord[],
  wanted: boolean,
): Promise<void> => {
  const known = targets.flatMap(({ account: { id, email } }) => (email === null ? [] : [{ id, email }]))
  if (known.length === 0) return
  await nextRevision(tx)
  if (wanted) {
    const holders = known.map(({ id, email }) => ({ account: id, hash: canonicalEmailHash(email) }))
    // Addresses above the maximum number of access rules in the published policy are not blocked.
    const left = MAX_ACCESS_RULES - (await countAccessRules(tx))
    const rows = holders.slice(0, Math.max(0, left)).map(({ account, hash }) => ({
      id: ctx.ids.next(),
      canonical_email_hash: hash,
      account_id: account,
      created_at: ctx.clock.date(),
    }))
    await insertCanonicalEmailBlocks(tx, rows)
    await insertEmailHolders(tx, holders)
  } else
    await deleteCanonicalEmailBlocksOf(
      tx,
      known.map(({ id }) => id),
    )
  tx.onCommit(() => {
    ctx.publication.afterChange()
  })
}
