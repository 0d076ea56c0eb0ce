/**
 * Adds and removes featured hashtags within the limit of an account. Announces changes of local accounts for
 * federation.
 */
import { fail, invalidField } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { tagFeatured, tagUnfeatured } from '@murmuration/contracts/statuses'
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import {
  deleteFeaturedTags,
  type FeaturedTagRow,
  featuredTagsOf,
  insertFeaturedTags,
  lockFeatured,
} from '../core/tag/featured.store.js'
import { type NamedTag, namedTag } from '../core/tag/rules.js'
import { ensureTags } from '../core/tag/store.js'

type Changing = Pick<Context, 'db' | 'ids' | 'announce'>

/** Parses a hashtag in a path. Throws 404 for an invalid name. */
export const tagOfPath = (name: string): NamedTag => {
  const tag = namedTag(name)
  if (!tag) throw fail('not_found', 'Not Found')
  return tag
}

const insert = async (ctx: Pick<Context, 'ids'>, tx: Tx, account: string, tags: readonly NamedTag[]): Promise<void> => {
  if (tags.length === 0) return
  const known = await ensureTags(tx, tags, () => ctx.ids.next())
  const all = tags.flatMap(({ name, display }) => {
    const tag = known.get(name)
    return tag ? [{ id: ctx.ids.next(), tag, name: display }] : []
  })
  await insertFeaturedTags(tx, account, all)
}

/** Features a hashtag on the profile of a local account. A tag that is featured already is returned unchanged. */
export const featureTag = (ctx: Changing, account: string, tag: NamedTag): Promise<FeaturedTagRow> =>
  ctx.db.tx(async (tx) => {
    await lockFeatured(tx, account)
    const there = await featuredTagsOf(tx, account)
    const known = there.find((one) => one.tag === tag.name)
    if (known) return known
    if (there.length >= limits.accounts.featuredTags)
      throw invalidField('You have already featured the maximum number of hashtags')
    await insert(ctx, tx, account, [tag])
    const row = (await featuredTagsOf(tx, account)).find((one) => one.tag === tag.name)
    if (!row) throw new Error('a stored featured tag is gone')
    await ctx.announce(tx, tagFeatured, { id: row.id, account, tag: row.tag, name: row.name })
    return row
  })

/**
 * Removes the first featured tag of a local account for which `which` returns true. Returns false if the hashtag is not
 * featured.
 */
export const unfeatureTag = (
  ctx: Changing,
  account: string,
  which: (row: FeaturedTagRow) => boolean,
): Promise<boolean> =>
  ctx.db.tx(async (tx) => {
    await lockFeatured(tx, account)
    const row = (await featuredTagsOf(tx, account)).find(which)
    if (!row) return false
    await deleteFeaturedTags(tx, [row.id])
    await ctx.announce(tx, tagUnfeatured, { id: row.id, account, tag: row.tag, name: row.name })
    return true
  })

/**
 * Sets the featured tags of a remote account. `wanted` receives the stored tags and returns the new ones. Returns
 * whether anything changed.
 */
export const setRemoteFeatured = async (
  ctx: Pick<Context, 'ids'>,
  tx: Tx,
  account: string,
  wanted: (there: readonly FeaturedTagRow[]) => readonly NamedTag[],
): Promise<boolean> => {
  await lockFeatured(tx, account)
  const there = await featuredTagsOf(tx, account)
  const keep = new Map(wanted(there).map((tag) => [tag.name, tag]))
  const max = [...keep.values()].slice(0, limits.accounts.featuredTags)
  const gone = there.filter((row) => !max.some((tag) => tag.name === row.tag))
  const fresh = max.filter((tag) => !there.some((row) => row.tag === tag.name))
  await deleteFeaturedTags(
    tx,
    gone.map((row) => row.id),
  )
  await insert(ctx, tx, account, fresh)
  return gone.length + fresh.length > 0
}
