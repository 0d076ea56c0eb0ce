/** Who blocks a domain has nothing of its people left. */
import { domainBlocked } from '@murmuration/contracts/accounts'
import { silenceDomain } from '../changes/undo.js'
import { react } from '../doors.js'

export const onDomainBlockCreated = react(domainBlocked, 'on-domain-block-created', (ctx, e) =>
  silenceDomain(ctx, e.id, e.domain),
)
