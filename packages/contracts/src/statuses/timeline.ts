/** Operations that return timelines: home, list, public, hashtag, link, account and direct. */
import { z } from 'zod'
import { Status } from '../entities/index.js'
import { flag, get, id, list, operation, optional, pageFields, pageOf, text, textOrNone, user } from '../kit/index.js'

export const homeTimeline = operation('statuses.timeline.home', {
  http: get('/api/v1/timelines/home'),
  viewer: user('read|read:statuses'),
  input: z.object({ ...pageFields(20), local: flag().optional() }),
  large: true,
  output: pageOf(Status, 'timeline', ['local', 'limit']),
  about: 'Home timeline of the viewer, newest first.',
})

export const listTimeline = operation('statuses.timeline.list', {
  http: get('/api/v1/timelines/list/:id'),
  viewer: user('read|read:lists'),
  input: z.object({ id: id(), ...pageFields(20) }),
  large: true,
  output: pageOf(Status, 'timeline', ['limit']),
  errors: ['not_found'],
  about: 'Statuses of the members of a list of the viewer, newest first.',
})

export const publicTimeline = operation('statuses.timeline.public', {
  http: get('/api/v1/timelines/public'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({
    ...pageFields(20),
    local: flag().optional(),
    remote: flag().optional(),
    only_media: flag().optional(),
  }),
  large: true,
  output: pageOf(Status, 'timeline', ['local', 'remote', 'limit', 'only_media']),
  errors: ['unprocessable', 'unavailable'],
  about: 'Public statuses that this server knows, newest first.',
})

export const tagTimeline = operation('statuses.timeline.tag', {
  http: get('/api/v1/timelines/tag/:hashtag'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({
    hashtag: text(1_000),
    ...pageFields(20),
    local: flag().optional(),
    remote: flag().optional(),
    only_media: flag().optional(),
    any: list(text(1_000), 100).optional(),
    all: list(text(1_000), 100).optional(),
    none: list(text(1_000), 100).optional(),
  }),
  large: true,
  output: pageOf(Status, 'timeline', ['local', 'limit', 'only_media']),
  errors: ['unprocessable', 'unavailable'],
  about: 'Public statuses with a hashtag, newest first.',
})

export const linkTimeline = operation('statuses.timeline.link', {
  http: get('/api/v1/timelines/link'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({
    url: textOrNone(4_096).optional(),
    ...pageFields(20),
    local: flag().optional(),
    remote: flag().optional(),
  }),
  large: true,
  output: pageOf(Status, 'timeline', ['url', 'local', 'limit']),
  errors: ['not_found', 'unprocessable', 'unavailable'],
  about: 'Public statuses that share a trending link, newest first.',
})

export const accountTimeline = operation('statuses.timeline.account', {
  http: get('/api/v1/accounts/:id/statuses'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({
    id: id(),
    ...pageFields(20),
    pinned: flag().optional(),
    only_media: flag().optional(),
    exclude_replies: flag().optional(),
    exclude_reblogs: flag().optional(),
    exclude_direct: flag().optional(),
    tagged: textOrNone(1_000).optional(),
  }),
  large: true,
  output: pageOf(Status, 'list', [
    'limit',
    'pinned',
    'tagged',
    'only_media',
    'exclude_replies',
    'exclude_reblogs',
    'exclude_direct',
  ]),
  errors: ['not_found'],
  about: 'Statuses and boosts of an account, newest first.',
})

export const directTimeline = operation('statuses.timeline.direct', {
  http: get('/api/v1/timelines/direct'),
  viewer: user('read|read:statuses'),
  large: true,
  input: z.object(pageFields(20)),
  output: pageOf(Status, 'timeline', ['limit']),
  about: 'Direct statuses of the viewer, newest first; for clients without conversations.',
})
