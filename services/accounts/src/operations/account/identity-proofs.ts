/** Always empty; kept for old clients. */
import { identityProofList } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { otherAccount } from '../../views/other-account.js'

export const listIdentityProofs = handle(identityProofList, async (ctx, _viewer, { id }) => {
  await otherAccount(ctx, id)
  return []
})
