/**
 * Deletes announcement dismissals and reactions of a deleted account, and the staff notes about it. Stores the domain
 * of the deleted remote account in those reports about it that lack the domain.
 */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { deleteReader } from '../announcement/index.js'
import { react } from '../handlers.js'
import { keepDomain } from '../reported-domain/index.js'
import { deleteNotesOfAccount } from '../staff-note/index.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', (ctx, e) =>
  ctx.db.tx(async (tx) => {
    await deleteReader(tx, e.id)
    await deleteNotesOfAccount(tx, e.id)
    if (!e.local) await keepDomain(tx, e.id, e.domain ?? new URL(e.uri).hostname)
  }),
)
