/** Operations, events and jobs about hashtags that accounts feature on their profiles. */
import { z } from 'zod'
import { FeaturedTag, Tag } from '../entities/index.js'
import { del, event, get, id, internal, job, operation, optional, post, text, user } from '../kit/index.js'

export const listFeaturedTags = operation('statuses.featured-tag.list', {
  http: get('/api/v1/featured_tags'),
  viewer: user('read|read:accounts'),
  input: z.object({}),
  output: z.array(FeaturedTag),
  about: 'Featured hashtags of the viewer, most used first.',
})

export const listFeaturedTagsOf = operation('statuses.featured-tag.list-of', {
  http: get('/api/v1/accounts/:id/featured_tags'),
  viewer: optional(),
  cache: 'anonymous',
  input: z.object({ id: id() }),
  output: z.array(FeaturedTag),
  errors: ['not_found'],
  about: 'Featured hashtags of an account, most used first.',
})

export const addFeaturedTag = operation('statuses.featured-tag.add', {
  http: post('/api/v1/featured_tags'),
  viewer: user('write|write:accounts'),
  input: z.object({ name: text(1_000) }),
  output: FeaturedTag,
  errors: ['unprocessable'],
  about: 'Features a hashtag on the profile of the viewer. A featured hashtag is returned unchanged.',
})

export const removeFeaturedTag = operation('statuses.featured-tag.remove', {
  http: del('/api/v1/featured_tags/:id'),
  viewer: user('write|write:accounts'),
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Removes a featured hashtag from the profile of the viewer.',
})

export const featuredTagSuggestions = operation('statuses.featured-tag.suggest', {
  http: get('/api/v1/featured_tags/suggestions'),
  viewer: user('read|read:accounts'),
  input: z.object({}),
  output: z.array(Tag),
  about: 'Hashtags that the viewer used most recently and does not feature, at most ten.',
})

/** A featured hashtag in the form that ActivityPub documents need. */
export const FeaturedTagName = z.object({ name: z.string(), url: z.string() })

export const featuredTagNames = operation('statuses.featured-tag.names', {
  viewer: internal(),
  input: z.object({ account: z.string() }),
  output: z.object({ tags: z.array(FeaturedTagName) }),
  about: 'Featured hashtags of a local account, for actor documents.',
})

export const putRemoteFeaturedTags = operation('statuses.featured-tag.put-remote', {
  viewer: internal(),
  class: 'write',
  input: z.object({ account: z.string(), add: z.string().max(500).nullable(), remove: z.string().max(500).nullable() }),
  output: z.object({ changed: z.boolean() }),
  about: 'Adds or removes a featured hashtag of a remote account.',
})

const featured = z.object({
  id: z.string(),
  account: z.string(),
  /** Hashtag in normalised form; `name` is the hashtag in its owner's spelling. */
  tag: z.string(),
  name: z.string(),
})

export const tagFeatured = event('statuses.tag.featured', {
  data: featured,
  about: 'A local account featured a hashtag.',
})

export const tagUnfeatured = event('statuses.tag.unfeatured', {
  data: featured,
  about: 'A local account no longer features a hashtag.',
})

export const syncFeaturedTags = job('statuses.sync-featured-tags', {
  data: z.object({ account: z.string(), url: z.string() }),
  about: 'Fetches the featured hashtags of a remote account.',
  retry: { delays: [60, 600], times: 3 },
  timeoutMs: 60_000,
  concurrency: 4,
})
