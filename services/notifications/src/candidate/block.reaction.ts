/** Event handlers for blocks and mutes: they remove notifications. */
import { blockCreated, domainBlocked, muteCreated } from '@murmuration/contracts/accounts'
import { react } from '../handlers.js'
import { refuseDomain, refuseSender } from './undo.js'

/** Removes the notifications by a blocked account, its notification request, and its permission, which is an exception from the policy. */
export const onBlockCreated = react(blockCreated, 'on-block-created', async (ctx, e) => {
  if (e.fromLocal) await refuseSender(ctx, e.from, e.to, true)
})

/** Removes the notifications, requests and permissions of all accounts of a blocked domain. */
export const onDomainBlockCreated = react(domainBlocked, 'on-domain-block-created', (ctx, e) =>
  refuseDomain(ctx, e.id, e.domain),
)

/**
 * Removes the notifications by a muted account and its notification request. Its permission stays. Mutes that allow
 * notifications have no effect.
 */
export const onMuteCreated = react(muteCreated, 'on-mute-created', async (ctx, e) => {
  if (e.fromLocal && e.notifications) await refuseSender(ctx, e.from, e.to, false)
})
