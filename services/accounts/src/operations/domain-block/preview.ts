/** What blocking a domain would cost the viewer. */
import { domainBlockPreview } from '@murmuration/contracts/accounts'
import { domainNameOf } from '../../domain/domain-name.js'
import { handle } from '../../doors.js'
import { countWithDomain } from '../../store/follow.js'

export const previewDomainBlock = handle(domainBlockPreview, (ctx, viewer, { domain }) =>
  countWithDomain(ctx.db, viewer.id, domainNameOf(domain)),
)
