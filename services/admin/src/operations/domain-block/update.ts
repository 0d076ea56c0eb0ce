/** Changes what a block does. */
import { domainBlockUpdate } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { tellOfBlock } from '../../changes/domain-block.js'
import { changePolicy } from '../../changes/publish-policy.js'
import { commentOf, severityOf } from '../../domain/domain-block.js'
import { handle } from '../../doors.js'
import { blockById, updateBlock } from '../../store/domain-block.js'
import { adminBlock } from '../../views/domain-block.js'

export const update = handle(domainBlockUpdate, async (ctx, viewer, input) => {
  const row = await changePolicy(ctx, async (tx) => {
    const before = await blockById(tx, input.id)
    if (!before) throw notFound()
    const after = {
      ...before,
      severity: severityOf(input.severity === undefined ? before.severity : (input.severity ?? '')),
      reject_media: input.reject_media ?? before.reject_media,
      reject_reports: input.reject_reports ?? before.reject_reports,
      private_comment:
        input.private_comment === undefined
          ? before.private_comment
          : commentOf('Private comment', input.private_comment),
      public_comment:
        input.public_comment === undefined ? before.public_comment : commentOf('Public comment', input.public_comment),
      obfuscate: input.obfuscate ?? before.obfuscate,
    }
    await updateBlock(tx, after)
    await tellOfBlock(ctx, tx, viewer, { before, after })
    return after
  })
  return adminBlock(row)
})
