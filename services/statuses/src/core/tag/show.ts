/** Tag JSON: name, history of the last week, and viewer state. Two queries in all, for any number of tags. */
import type { Tag } from '@murmuration/contracts/entities'
import type { Context } from '../../context.js'
import { tagUrl } from '../address/rules.js'
import { historyOf, lastDays, type NamedTag } from './rules.js'
import { type KnownTag, tagMarksOf, tagsByName } from './store.js'
import { usedDays } from './used-day.store.js'

type Reading = Pick<Context, 'db' | 'site' | 'clock'>

/** Tag JSON, in order. Signed-in viewers also receive whether they follow and feature each tag. */
export const showTags = async (ctx: Reading, viewerId: string | null, tags: readonly KnownTag[]): Promise<Tag[]> => {
  const now = ctx.clock.now()
  const ids = tags.map((tag) => tag.id)
  const [uses, marks] = await Promise.all([
    usedDays(ctx.db, 'tag', ids, lastDays(now)),
    viewerId === null ? null : tagMarksOf(ctx.db, viewerId, ids),
  ])
  return tags.map((tag) => ({
    id: tag.id,
    name: tag.display,
    url: tagUrl(ctx.site.origin, tag.name),
    history: historyOf(uses.get(tag.id) ?? [], now),
    ...(marks && {
      following: marks.get(tag.id)?.following ?? false,
      featuring: marks.get(tag.id)?.featuring ?? false,
    }),
  }))
}

/** JSON of one tag by name. A tag without a row has an empty id and a history of zeros. */
export const showTag = async (ctx: Reading, viewerId: string | null, named: NamedTag): Promise<Tag> => {
  const known = (await tagsByName(ctx.db, [named.name])).get(named.name)
  const [shown] = known ? await showTags(ctx, viewerId, [known]) : []
  return (
    shown ?? {
      id: '',
      name: named.display,
      url: tagUrl(ctx.site.origin, named.name),
      history: historyOf([], ctx.clock.now()),
      ...(viewerId === null ? {} : { following: false, featuring: false }),
    }
  )
}
