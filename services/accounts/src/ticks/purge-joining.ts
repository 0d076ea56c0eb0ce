/** Deletes logins that were never confirmed, links that ran out, letters that were sent long ago, and old addresses. */
import { limits } from '@murmuration/contracts/limits'
import { idFloor } from '@murmuration/kernel'
import { removeUnused } from '../changes/removal.js'
import { tick } from '../doors.js'
import { emailsOfAccounts } from '../store/email.js'
import { deleteOldLetters } from '../store/letter.js'
import { deleteOldLinks } from '../store/mail-link.js'
import { forgetAddresses, neverConfirmed } from '../store/sign-up.js'

const DAY = 86_400_000
const MOST = 50
/** Logins whose address is forgotten in one go. */
const MOST_ADDRESSES = 1_000

export const purgeJoining = tick('accounts.purge-joining', 300_000, async (ctx) => {
  const now = ctx.clock.now()
  const before = new Date(now - limits.accounts.unconfirmedKeptSeconds * 1_000)
  await ctx.db.tx(async (tx) => {
    const people = await emailsOfAccounts(tx, await neverConfirmed(tx, before, MOST))
    await removeUnused(ctx, tx, people)
  })
  await deleteOldLinks(ctx.db, new Date(now))
  await deleteOldLetters(ctx.db, new Date(now - 7 * DAY))
  await forgetAddresses(ctx.db, idFloor(now - 365 * DAY), MOST_ADDRESSES)
})
