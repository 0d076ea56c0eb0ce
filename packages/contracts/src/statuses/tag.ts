/** Operations about hashtags: one by name with its use, follows, and featuring on the profile. */
import { z } from 'zod'
import { Tag } from '../entities/index.js'
import { get, internal, operation, optional, pageFields, pageOf, post, text, user } from '../kit/index.js'

const byName = z.object({ name: text(1_000) })

export const showTag = operation('statuses.tag.show', {
  http: get('/api/v1/tags/:name'),
  viewer: optional(),
  cache: 'anonymous',
  input: byName,
  output: Tag,
  errors: ['not_found'],
  about: 'A hashtag and its use in the last week. A valid name without any use is returned too.',
})

export const checkTag = operation('statuses.tag.check', {
  viewer: internal(),
  input: byName,
  output: z.object({ /** False if staff made the hashtag unusable. */ usable: z.boolean() }),
  about: 'Whether a hashtag may be used.',
})

const follows = (verb: 'follow' | 'unfollow', about: string) =>
  operation(`statuses.tag.${verb}`, {
    http: post(`/api/v1/tags/:name/${verb}`),
    viewer: user('write|write:follows|follow'),
    ...(verb === 'follow' ? { family: 'follows' as const } : {}),
    input: byName,
    output: Tag,
    errors: ['not_found'],
    about,
  })
export const followTag = follows(
  'follow',
  'Follows a hashtag: later public statuses with it are added to the home feed.',
)
export const unfollowTag = follows('unfollow', 'Unfollows a hashtag.')

export const listFollowedTags = operation('statuses.tag.list-followed', {
  http: get('/api/v1/followed_tags'),
  viewer: user('read|read:follows|follow'),
  input: z.object(pageFields(100)),
  output: pageOf(Tag, 'list'),
  about: 'Hashtags that the viewer follows, latest first.',
})

const features = (verb: 'feature' | 'unfeature', about: string) =>
  operation(`statuses.tag.${verb}`, {
    http: post(`/api/v1/tags/:name/${verb}`),
    viewer: user('write|write:accounts'),
    input: byName,
    output: Tag,
    errors: ['not_found', 'unprocessable'],
    about,
  })
export const tagFeature = features('feature', 'Features a hashtag on the profile of the viewer.')
export const tagUnfeature = features('unfeature', 'Removes a featured hashtag from the profile of the viewer.')
