/** Deletes what a removed account left here: announcements it read, its reactions, and staff notes. Its reports keep its domain. */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { forgetReader } from '../announcement/index.js'
import { react } from '../handlers.js'
import { keepDomain } from '../report-domain/index.js'
import { deleteNotesOfAccount } from '../staff-note/index.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', (ctx, e) =>
  ctx.db.tx(async (tx) => {
    await forgetReader(tx, e.id)
    await deleteNotesOfAccount(tx, e.id)
    if (!e.local) await keepDomain(tx, e.id, e.domain ?? new URL(e.uri).hostname)
  }),
)
