/** Staff turns a waiting person away: the account is erased, and name and address are free again. */
import { registrationReject } from '@murmuration/contracts/accounts'
import { writeLetter } from '../../changes/letter.js'
import { removeUnused } from '../../changes/removal.js'
import { handle } from '../../doors.js'
import { holdEmailOfAccount } from '../../store/email.js'

export const rejectRegistration = handle(registrationReject, (ctx, _viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    const person = await holdEmailOfAccount(tx, id)
    if (!person || person.approved) return { changed: false }
    // Nobody is written to who did not prove that the address is theirs.
    if (person.confirmed) await writeLetter(ctx, tx, person, 'rejected')
    await removeUnused(ctx, tx, [person])
    return { changed: true }
  }),
)
