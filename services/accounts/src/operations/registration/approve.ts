/** Staff lets a person in who waited for approval. */
import { registrationApprove } from '@murmuration/contracts/accounts'
import { join } from '../../changes/email.js'
import { handle } from '../../doors.js'
import { holdEmailOfAccount, setApproved } from '../../store/email.js'
import { noteDecided } from '../../store/sign-up.js'

export const approveRegistration = handle(registrationApprove, (ctx, _viewer, { id }) =>
  ctx.db.tx(async (tx) => {
    const person = await holdEmailOfAccount(tx, id)
    if (!person || person.approved) return { changed: false }
    await setApproved(tx, person.user_id)
    await noteDecided(tx, person.user_id)
    // Who did not confirm yet is in as soon as they do.
    if (person.confirmed) await join(ctx, tx, person, true)
    return { changed: true }
  }),
)
