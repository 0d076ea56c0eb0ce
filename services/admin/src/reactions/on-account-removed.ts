/** What a person read of announcements, and their reactions, go with them. */
import { accountRemoved } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { forgetReader } from '../store/announcement.js'

export const onAccountRemoved = react(accountRemoved, 'on-account-removed', (ctx, e) =>
  ctx.db.tx((tx) => forgetReader(tx, e.id)),
)
