/** Sends the confirmation mail again to whoever waits for it; the answer, and the time it takes, tell nothing (D005). */
import { emailResend } from '@murmuration/contracts/accounts'
import { sendConfirmation } from '../../changes/email.js'
import { evenly } from '../../changes/evenly.js'
import { handle } from '../../doors.js'
import { emailByAddress } from '../../store/email.js'

export const resendByAddress = handle(emailResend, (ctx, _viewer, { email }) =>
  evenly(ctx, 'a confirmation mail was not written again', async () => {
    const person = await emailByAddress(ctx.db, email.trim())
    if (person && !person.confirmed) await ctx.db.tx((tx) => sendConfirmation(ctx, tx, person))
  }),
)
