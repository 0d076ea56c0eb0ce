/** Hashtags: one by name with its use, and following it. */
import { z } from 'zod'
import { Tag } from '../entities/index.js'
import { get, operation, optional, pageFields, pageOf, post, text, user } from '../kit/index.js'

const byName = z.object({ name: text(1_000) })

export const tagShow = operation('statuses.tag.show', {
  http: get('/api/v1/tags/:name'),
  viewer: optional(),
  cache: 'anonymous',
  input: byName,
  output: Tag,
  errors: ['not_found'],
  about: 'A hashtag and its use over the last week; any name that could be one is found.',
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
export const tagFollow = follows('follow', 'Brings future public statuses with a hashtag into the home feed.')
export const tagUnfollow = follows('unfollow', 'No longer follows a hashtag.')

export const tagFollowedList = operation('statuses.tag.list-followed', {
  http: get('/api/v1/followed_tags'),
  viewer: user('read|read:follows|follow'),
  input: z.object(pageFields(100)),
  output: pageOf(Tag, 'C'),
  about: 'Hashtags the viewer follows, the latest first.',
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
export const tagFeature = features('feature', 'Shows a hashtag on one’s profile.')
export const tagUnfeature = features('unfeature', 'Takes a hashtag off one’s profile.')
