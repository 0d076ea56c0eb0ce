/** Reactions to blocks and mutes: they remove notifications. */
import { blockCreated, domainBlocked, muteCreated } from '@murmuration/contracts/accounts'
import { react } from '../handlers.js'
import { silence, silenceDomain } from './undo.js'

/** Removes the notifications of a blocked account, and the exception for it. */
export const onBlockCreated = react(blockCreated, 'on-block-created', async (ctx, e) => {
  if (e.fromLocal) await silence(ctx, e.from, e.to, true)
})

/** Removes the notifications of accounts of a blocked domain. */
export const onDomainBlockCreated = react(domainBlocked, 'on-domain-block-created', (ctx, e) =>
  silenceDomain(ctx, e.id, e.domain),
)

/** Removes the notifications of an account whose notifications are muted. */
export const onMuteCreated = react(muteCreated, 'on-mute-created', async (ctx, e) => {
  if (e.fromLocal && e.notifications) await silence(ctx, e.from, e.to, false)
})
