/** A person’s own status stands in their own feed before they are answered; everybody else’s feed is fan-out. */
import type { Context } from '../context.js'
import { type Entry, homeKey, putInto } from '../store/feed.js'

/** Without Redis nothing is lost: the feed is then made anew from rows. */
export const putIntoOwn = async (ctx: Context, author: string, entry: Entry): Promise<void> => {
  try {
    await putInto(ctx.redis, [homeKey(author)], entry, ctx.feedRules)
  } catch (error) {
    ctx.log.info({ error }, 'the own feed was not filled at once')
  }
}
