/** Operations and events about single statuses: creating, reading, editing and deleting them. */
import { z } from 'zod'
import { DeletedStatus, ScheduledStatus, Status, StatusEdit, StatusSource, Visibility } from '../entities/index.js'
import {
  del,
  event,
  flag,
  get,
  id,
  ids,
  internal,
  intOrText,
  invalidation,
  knownOr,
  linesOf,
  list,
  operation,
  optional,
  post,
  put,
  text,
  textOrNone,
  user,
} from '../kit/index.js'
import { stagedFileOrNone } from '../media/staged-file.js'

/** An optional id in a request. Null and the empty string mean that no id is given. */
export const idOrNone = () => z.union([z.null(), z.literal('').transform(() => null), id()])

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/**
 * A poll in a request; an empty object means no poll. The handler validates the poll, with the error texts of
 * Mastodon's API.
 */
const pollInput = z.preprocess(
  (value) => (isEmpty(value) ? null : value),
  z
    .object({
      options: list(text(), null).optional(),
      expires_in: z.union([z.null(), intOrText()]).optional(),
      multiple: flag(),
      hide_totals: flag(),
    })
    .partial()
    .nullable()
    .optional(),
)

const contentInput = {
  status: textOrNone().optional(),
  spoiler_text: textOrNone().optional(),
  sensitive: flag().optional(),
  language: textOrNone(100).optional(),
  media_ids: list(id(), null).optional(),
  poll: pollInput.optional(),
  quote_approval_policy: textOrNone(100).optional(),
}

export const createStatus = operation('statuses.status.create', {
  http: post('/api/v1/statuses'),
  viewer: user('write|write:statuses'),
  creates: true,
  family: 'statuses',
  input: z.object({
    ...contentInput,
    in_reply_to_id: idOrNone().optional(),
    visibility: textOrNone(100).optional(),
    scheduled_at: textOrNone(100).optional(),
    quoted_status_id: idOrNone().optional(),
    /** Ids of accounts. If given, the request is refused if the status mentions any other account. An empty list allows no mention. */
    allowed_mentions: list(text(100), 1_000).optional(),
  }),
  output: z.union([Status, ScheduledStatus]),
  errors: ['not_found', 'unprocessable', 'unavailable'],
  about: 'Creates a status, or a scheduled status.',
})

export const showStatus = operation('statuses.status.show', {
  http: get('/api/v1/statuses/:id'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({ id: id() }),
  output: Status,
  errors: ['not_found'],
  about: 'One status.',
})

export const listStatuses = operation('statuses.status.list', {
  http: get('/api/v1/statuses'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  large: true,
  input: z.object({ id: ids(null).optional() }),
  output: z.array(Status),
  errors: ['unprocessable'],
  about: 'Several statuses by id, in the order of the request. Statuses that the viewer may not see are left out.',
})

export const editStatus = operation('statuses.status.edit', {
  http: put('/api/v1/statuses/:id'),
  viewer: user('write|write:statuses'),
  family: 'statuses',
  files: ['media_attributes[][thumbnail]'],
  inlineFiles: true,
  input: z.object({
    id: id(),
    ...contentInput,
    media_attributes: list(
      z.object({
        id: id(),
        description: z.union([z.null(), text()]).optional(),
        focus: textOrNone(100).optional(),
        /** New cover of the video or audio file. */
        thumbnail: stagedFileOrNone(),
      }),
      100,
    ).optional(),
  }),
  output: Status,
  errors: ['not_found', 'unprocessable', 'unavailable'],
  about: 'Edits an own status. Media and poll that are absent are removed.',
})

export const deleteStatus = operation('statuses.status.delete', {
  http: del('/api/v1/statuses/:id'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id(), delete_media: flag().optional() }),
  output: DeletedStatus,
  errors: ['not_found'],
  about: 'Deletes an own status. The response contains its source text for a redraft.',
})

export const sourceOfStatus = operation('statuses.status.source', {
  http: get('/api/v1/statuses/:id/source'),
  viewer: user('read|read:statuses'),
  input: z.object({ id: id() }),
  output: StatusSource,
  errors: ['not_found'],
  about: 'The source text of a status.',
})

export const showHistory = operation('statuses.history.show', {
  http: get('/api/v1/statuses/:id/history'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({ id: id() }),
  output: z.array(StatusEdit),
  errors: ['not_found'],
  about: 'All versions of a status, the original first.',
})

const base = z.object({
  id: z.string(),
  author: z.string(),
  local: z.boolean(),
  visibility: knownOr(Visibility, 'direct'),
  /** For a boost: id of the original, its author and whether the author is local. */
  reblogOf: z.string().nullable(),
  reblogOfAuthor: z.string().nullable(),
  reblogOfLocal: z.boolean(),
})

export const statusCreated = event('statuses.status.created', {
  data: base.extend({
    uri: z.string(),
    inReplyTo: z.string().nullable(),
    inReplyToAuthor: z.string().nullable(),
    conversation: z.string(),
    /** Account ids of the mentioned accounts, without silent mentions. */
    mentions: z.array(z.string()),
    language: z.string().nullable(),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    /** Account id of the author of the quoted status. Null without a quote, absent in events of older releases. */
    quotedAuthor: z.string().nullable().optional(),
    /** False for a fetched status. Such a status enters no feeds and notifies no account. */
    push: z.boolean(),
  }),
  about: 'A local or remote status or boost was created.',
})

export const statusEdited = event('statuses.status.edited', {
  data: base.extend({
    mentions: z.array(z.string()),
    /** Account ids of mentions that the edit added. */
    added: z.array(z.string()).optional(),
    /** Account id of the author of the parent; null for other statuses. Absent in events of older releases. */
    inReplyToAuthor: z.string().nullable().optional(),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    editedAt: z.string(),
  }),
  about: 'The content of a status changed.',
})

export const statusDeleted = event('statuses.status.deleted', {
  data: base.extend({
    /** ActivityPub object id of the status; for a boost, the id of its Announce. */
    uri: z.string(),
    mentions: z.array(z.string()),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    inReplyTo: z.string().nullable(),
    createdAt: z.string(),
  }),
  about:
    'A status or boost was deleted by its author, its server, staff or a tick. Not sent for statuses of a deleted account.',
})

export const statusRefreshed = event('statuses.status.refreshed', {
  data: z.object({ id: z.string(), author: z.string() }),
  about: 'The approval or quote policy of a local status changed, but not its content.',
})

/** Cache invalidation message: cached status cards are outdated. The ids are status ids. */
export const statusInvalidation = invalidation('statuses.status', 'Ids of statuses whose cached cards are outdated.')

export const renderByIds = operation('statuses.render.by-ids', {
  viewer: internal(),
  large: true,
  input: z.object({
    /** Account id of the viewer; null for an anonymous viewer. */
    viewer: z.string().nullable(),
    ids: z.array(z.string()).max(200),
    /** Place where the status is shown. The place determines the applied filters and access rules. */
    place: z.enum(['home', 'list', 'public', 'thread', 'account', 'notifications', 'report', 'direct']),
  }),
  output: linesOf(Status),
  about: 'Status JSON by id for a viewer. Statuses that the viewer may not see are left out.',
})
