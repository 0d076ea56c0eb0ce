/** Sends a link for a new password when there is such a login; the answer, and the time it takes, tell nothing (D005). */
import { passwordForgot } from '@murmuration/contracts/accounts'
import { evenly } from '../../changes/evenly.js'
import { writeLetter } from '../../changes/letter.js'
import { handle } from '../../doors.js'
import { countLetters } from '../../store/letter.js'
import { personByEmail } from '../../store/user.js'

const MOST_MAILS = 5
const WINDOW_MS = 1_800_000

export const forgotPassword = handle(passwordForgot, (ctx, _viewer, { email }) =>
  evenly(ctx, 'a mail for a new password was not written', async () => {
    const person = await personByEmail(ctx.db, email.trim())
    if (!person || person.memorial || ctx.config.externalOnly) return
    const since = new Date(ctx.clock.now() - WINDOW_MS)
    await ctx.db.tx(async (tx) => {
      if ((await countLetters(tx, person.user_id, ['password-reset'], since)) >= MOST_MAILS) return
      await writeLetter(ctx, tx, person, 'password-reset')
    })
  }),
)
