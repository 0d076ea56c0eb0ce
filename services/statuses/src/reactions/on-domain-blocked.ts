/** A blocked domain may be anywhere in the home feed, so the feed is made anew when it is read next. */
import { domainBlocked } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { dropFeeds, homeKey } from '../store/feed.js'

export const onDomainBlocked = react(domainBlocked, 'on-domain-blocked', async (ctx, { id }) => {
  await dropFeeds(ctx.redis, [homeKey(id)])
})
