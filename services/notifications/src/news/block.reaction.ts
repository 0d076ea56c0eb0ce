/** Reactions to blocks and mutes: they remove notifications. */
import { blockCreated, domainBlocked, muteCreated } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { silence, silenceDomain } from './undo.js'

/** Who blocks somebody has nothing of them left, and no exception for them. */
export const onBlockCreated = react(blockCreated, 'on-block-created', async (ctx, e) => {
  if (e.fromLocal) await silence(ctx, e.from, e.to, true)
})

/** Who blocks a domain has nothing of its people left. */
export const onDomainBlockCreated = react(domainBlocked, 'on-domain-block-created', (ctx, e) =>
  silenceDomain(ctx, e.id, e.domain),
)

/** Who mutes somebody together with their notifications has none of them left. */
export const onMuteCreated = react(muteCreated, 'on-mute-created', async (ctx, e) => {
  if (e.fromLocal && e.notifications) await silence(ctx, e.from, e.to, false)
})
