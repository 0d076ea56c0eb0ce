/** Staff approves sign-ups. */
import { registrationApprove } from '@murmuration/contracts/accounts'
import { joinAll } from '../../changes/email.js'
import { handle } from '../../doors.js'
import { lockPendingLogins, setApproved } from '../../store/email.js'
import { noteDecided } from '../../store/sign-up.js'

export const approveRegistration = handle(registrationApprove, (ctx, _viewer, { id, ids }) =>
  ctx.db.tx(async (tx) => {
    const people = await lockPendingLogins(tx, ids ?? [id ?? '0'])
    if (people.length === 0) return { changed: false }
    const users = people.map((one) => one.user_id)
    await setApproved(tx, users)
    await noteDecided(tx, users)
    // Logins without a confirmed address join when they confirm it.
    await joinAll(
      ctx,
      tx,
      people.filter((one) => one.confirmed),
      true,
    )
    return { changed: true }
  }),
)
