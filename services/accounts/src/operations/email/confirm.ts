/** Confirms an address by the link that was sent there. */
import { emailConfirm } from '@murmuration/contracts/accounts'
import { confirmByLink } from '../../changes/email.js'
import { handle } from '../../doors.js'

export const confirmAddress = handle(emailConfirm, async (ctx, _viewer, { token }) => ({
  state: await confirmByLink(ctx, token),
}))
