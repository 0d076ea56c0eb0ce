/** Limits or blocks a server and everything below its domain. */
import { domainBlockCreate } from '@murmuration/contracts/admin'
import { fail, invalidField } from '@murmuration/contracts/kit'
import { tellOfBlock } from '../../changes/domain-block.js'
import { changePolicy } from '../../changes/publish-policy.js'
import { commentOf, conflictOf, otherDomain, severityOf, withParents } from '../../domain/domain-block.js'
import { MOST_DOMAINS } from '../../domain/policy.js'
import { handle } from '../../doors.js'
import { countDomains, insertBlock, strictestOf } from '../../store/domain-block.js'
import { adminBlock, adminBlockOf } from '../../views/domain-block.js'

export const create = handle(domainBlockCreate, async (ctx, viewer, input) => {
  const row = {
    id: ctx.ids.next(),
    domain: otherDomain(input.domain, [ctx.site.localDomain, ctx.site.webDomain]),
    severity: severityOf(input.severity ?? 'silence'),
    reject_media: input.reject_media ?? false,
    reject_reports: input.reject_reports ?? false,
    private_comment: commentOf('Private comment', input.private_comment ?? null),
    public_comment: commentOf('Public comment', input.public_comment ?? null),
    obfuscate: input.obfuscate ?? false,
    created_at: ctx.clock.date(),
  }
  await changePolicy(ctx, async (tx) => {
    const existing = conflictOf(row, await strictestOf(tx, withParents(row.domain)))
    if (existing)
      throw fail('unprocessable', `You have already imposed stricter limits on ${existing.domain}.`, {
        body: { existing_domain_block: adminBlockOf(existing) },
      })
    if ((await countDomains(tx)) >= MOST_DOMAINS)
      throw invalidField(`Domain is one too many (maximum is ${MOST_DOMAINS})`)
    await insertBlock(tx, row)
    await tellOfBlock(ctx, tx, viewer, { before: null, after: row })
  })
  return adminBlock(row)
})
