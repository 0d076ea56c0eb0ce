/**
 * Publishes messages to open connections. Messages may be lost, and contain only ids. Accounts without a recent
 * connection get no messages.
 */
import type { LiveMessage } from '@murmuration/contracts/statuses'
import { publishCoreMessage } from '@murmuration/kernel'
import { tagToken } from '@murmuration/text/tag-token'
import type { Context } from '../../context.js'
import { listenersAmong } from './presence.store.js'

type Needs = Pick<Context, 'nc' | 'redis' | 'clock'>

const publish = (ctx: Needs, subject: string, message: LiveMessage): void => {
  publishCoreMessage(ctx.nc, subject, JSON.stringify(message))
}

/**
 * Publishes one message to those of the accounts that had a connection within the last day, because they may resume it.
 */
export const publishToAccounts = async (
  ctx: Needs,
  accounts: readonly string[],
  message: LiveMessage,
): Promise<void> => {
  for (const account of await listenersAmong(ctx.redis, accounts, ctx.clock.now()))
    publish(ctx, `live.user.${account}`, message)
}

/** Publishes a separate message to each of these accounts that had a connection within the last day. */
export const publishToEach = async (
  ctx: Needs,
  messages: readonly (readonly [string, LiveMessage])[],
): Promise<void> => {
  const accounts = messages.map(([account]) => account)
  const present = new Set(await listenersAmong(ctx.redis, accounts, ctx.clock.now()))
  for (const [account, message] of messages) if (present.has(account)) publish(ctx, `live.user.${account}`, message)
}

export const publishToLists = (ctx: Needs, lists: readonly string[], message: LiveMessage): void => {
  for (const list of lists) publish(ctx, `live.list.${list}`, message)
}

/** Publishes to the connections that watch the public timeline or one of these hashtags. */
export const publishToPublic = (
  ctx: Needs,
  status: { local: boolean; listed: boolean; tags: readonly string[] },
  message: LiveMessage,
): void => {
  if (status.listed) publish(ctx, `live.public.${status.local ? 'local' : 'remote'}`, message)
  for (const tag of status.tags) publish(ctx, `live.tag.${tagToken(tag)}`, message)
}
