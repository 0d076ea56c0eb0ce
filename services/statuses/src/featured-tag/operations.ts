/** Handlers of hashtags featured on profiles. */

import { accountRecords } from '@murmuration/contracts/accounts'
import { errorText, invalidField, notFound } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import {
  addFeaturedTag,
  featuredTagNames,
  featuredTagSuggestions,
  listFeaturedTags,
  listFeaturedTagsOf,
  putRemoteFeaturedTags,
  removeFeaturedTag,
  tagFeature,
  tagUnfeature,
} from '@murmuration/contracts/statuses'
import { featuredTagsOf, tagsToFeature } from '../core/tag/featured.store.js'
import { namedTag } from '../core/tag/rules.js'
import { showTag, showTags } from '../core/tag/show.js'
import { handle } from '../handlers.js'
import { featureTag, setRemoteFeatured, tagOfPath, unfeatureTag } from './feature.js'
import { acctOf, featuredTag, showFeaturedTags } from './show.js'

/** Features a hashtag on the viewer's profile. A hashtag that is featured already is returned unchanged. */
export const add = handle(addFeaturedTag, async (ctx, viewer, { name }) => {
  const tag = namedTag(name)
  if (!tag) throw invalidField(name.trim() === '' ? errorText("Name can't be blank") : errorText('Name is invalid'))
  const acct = await acctOf(ctx, viewer.id)
  return featuredTag(ctx.site.origin, acct, await featureTag(ctx, viewer.id, tag))
})

/** Featured hashtags of the viewer, most used first. */
export const list = handle(listFeaturedTags, (ctx, viewer) => showFeaturedTags(ctx, viewer.id))

/** Featured hashtags of an account, most used first. A suspended account has no featured hashtags. */
export const listOf = handle(listFeaturedTagsOf, async (ctx, _viewer, { id }) => {
  const { records } = await ctx.call(accountRecords, { ids: [id] })
  const [account] = records
  if (!account?.usable) throw notFound()
  const rows = account.suspended ? [] : await featuredTagsOf(ctx.db, id)
  return rows.map((row) => featuredTag(ctx.site.origin, account.acct, row))
})

/** Featured hashtags of a local account, for actor documents. */
export const names = handle(featuredTagNames, async (ctx, _viewer, { account }) => ({
  tags: (await showFeaturedTags(ctx, account)).map(({ name, url }) => ({ name, url })),
}))

/** Adds or removes a featured hashtag of a remote account. */
export const putRemote = handle(putRemoteFeaturedTags, async (ctx, _viewer, { account, add, remove }) => {
  const [added, removed] = [add, remove].map((name) => (name === null ? null : namedTag(name)))
  const changed = await ctx.db.tx((tx) =>
    setRemoteFeatured(ctx, tx, account, (there) => [
      ...there.filter((row) => row.tag !== removed?.name).map((row) => ({ name: row.tag, display: row.name })),
      ...(added ? [added] : []),
    ]),
  )
  return { changed }
})

/** Removes a hashtag from the viewer's profile, by the id of the featured hashtag. */
export const remove = handle(removeFeaturedTag, async (ctx, viewer, { id }) => {
  if (!(await unfeatureTag(ctx, viewer.id, (row) => row.id === id))) throw notFound()
  return {}
})

/** Hashtags that the viewer recently used most and does not feature. */
export const suggest = handle(featuredTagSuggestions, async (ctx, viewer) =>
  showTags(ctx, viewer.id, await tagsToFeature(ctx.db, viewer.id, limits.accounts.featuredTagSuggestions)),
)

/** Features a hashtag by name, and returns the tag. */
export const feature = handle(tagFeature, async (ctx, viewer, { name }) => {
  const named = tagOfPath(name)
  await featureTag(ctx, viewer.id, named)
  return showTag(ctx, viewer.id, named)
})

/** Stops featuring a hashtag by name, and returns the tag. */
export const unfeature = handle(tagUnfeature, async (ctx, viewer, { name }) => {
  const named = tagOfPath(name)
  await unfeatureTag(ctx, viewer.id, (row) => row.tag === named.name)
  return showTag(ctx, viewer.id, named)
})
