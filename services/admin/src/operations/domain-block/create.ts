/** Limits or blocks a server and everything below its domain. */
import { domainBlockCreate } from '@murmuration/contracts/admin'
import { newBlock, placeNew } from '../../changes/place-block.js'
import { changePolicy } from '../../core/change-policy.js'
import { handle } from '../../doors.js'
import { adminBlock } from '../../views/domain-block.js'

export const create = handle(domainBlockCreate, async (ctx, viewer, input) => {
  const row = newBlock(ctx, input.domain, input)
  await changePolicy(ctx, (tx) => placeNew(ctx, tx, viewer, row))
  return adminBlock(row)
})
