/** Staff rejects sign-ups: the accounts are erased, and names and addresses are free again. */
import { registrationReject } from '@murmuration/contracts/accounts'
import { writeToAll } from '../../changes/letter.js'
import { removeUnused } from '../../changes/removal.js'
import { handle } from '../../doors.js'
import { lockPendingLogins } from '../../store/email.js'

export const rejectRegistration = handle(registrationReject, (ctx, _viewer, { id, ids }) =>
  ctx.db.tx(async (tx) => {
    const people = await lockPendingLogins(tx, ids ?? [id ?? '0'])
    if (people.length === 0) return { changed: false }
    // No e-mail goes to an address that its owner did not confirm.
    await writeToAll(
      ctx,
      tx,
      people.filter((one) => one.confirmed),
      'rejected',
    )
    await removeUnused(ctx, tx, people)
    return { changed: true }
  }),
)
