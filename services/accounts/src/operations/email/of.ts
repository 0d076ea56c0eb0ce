/** Confirmed addresses of people here, for mails about what happened. */
import { emailsOf } from '@murmuration/contracts/accounts'
import { stateOf } from '../../domain/person-state.js'
import { handle } from '../../doors.js'
import { personsByAccountIds } from '../../store/user.js'

export const getEmails = handle(emailsOf, async (ctx, _viewer, { ids }) => ({
  people: (await personsByAccountIds(ctx.db, ids)).flatMap((row) =>
    row.confirmed && row.approved
      ? [
          {
            id: row.account_id,
            email: row.email,
            username: row.username,
            locale: row.locale,
            usable: stateOf(row) === 'ok',
            closed: row.disabled || row.suspended || row.memorial,
          },
        ]
      : [],
  ),
}))
