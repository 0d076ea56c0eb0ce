/** Single statuses: writing, reading, editing and deleting them, with their events. */
import { z } from 'zod'
import { DeletedStatus, ScheduledStatus, Status, StatusEdit, StatusSource, Visibility } from '../entities/index.js'
import {
  del,
  event,
  flag,
  get,
  hint,
  id,
  ids,
  int,
  internal,
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

/** An id that may be left out, also as null or the empty string. */
export const idOrNone = () => z.union([z.null(), z.literal('').transform(() => null), id()])

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** A poll as clients send it, an empty one for none; the rules are checked where it is made, with the texts clients know. */
const pollInput = z.preprocess(
  (value) => (isEmpty(value) ? null : value),
  z
    .object({
      options: list(text(1_000), 100).optional(),
      expires_in: z.union([z.null(), int()]).optional(),
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
  media_ids: list(id(), 100).optional(),
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
    /** Ids of the only accounts that may be mentioned; given but empty means nobody. */
    allowed_mentions: list(text(100), 1_000).optional(),
  }),
  output: z.union([Status, ScheduledStatus]),
  errors: ['not_found', 'unprocessable'],
  about: 'Writes a status, or one that waits for its time.',
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
  input: z.object({ id: ids(1_000).optional() }),
  output: z.array(Status),
  errors: ['unprocessable'],
  about: 'Several statuses by id, in the order of the request; those that cannot be seen are left out.',
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
        description: z.union([z.null(), text(20_000)]).optional(),
        focus: textOrNone(100).optional(),
        /** Another cover for a video or a sound. */
        thumbnail: stagedFileOrNone(),
      }),
      100,
    ).optional(),
  }),
  output: Status,
  errors: ['not_found', 'unprocessable'],
  about: 'Changes a status of one’s own; media and poll that are left out are removed.',
})

export const deleteStatus = operation('statuses.status.delete', {
  http: del('/api/v1/statuses/:id'),
  viewer: user('write|write:statuses'),
  input: z.object({ id: id(), delete_media: flag().optional() }),
  output: DeletedStatus,
  errors: ['not_found'],
  about: 'Deletes a status of one’s own; the answer holds its text, so that it can be written anew.',
})

export const sourceOfStatus = operation('statuses.status.source', {
  http: get('/api/v1/statuses/:id/source'),
  viewer: user('read|read:statuses'),
  input: z.object({ id: id() }),
  output: StatusSource,
  errors: ['not_found'],
  about: 'The text of a status as it was typed.',
})

export const showHistory = operation('statuses.history.show', {
  http: get('/api/v1/statuses/:id/history'),
  viewer: optional('read|read:statuses'),
  cache: 'anonymous',
  input: z.object({ id: id() }),
  output: z.array(StatusEdit),
  errors: ['not_found'],
  about: 'Every version of a status, the original first.',
})

const base = z.object({
  id: z.string(),
  author: z.string(),
  local: z.boolean(),
  visibility: Visibility,
  /** Of a boost: the boosted status and its author. */
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
    /** Account ids that are mentioned, silent ones left out. */
    mentions: z.array(z.string()),
    language: z.string().nullable(),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    /** Of the quoted status; null without one, absent in events of older releases. */
    quotedAuthor: z.string().nullable().optional(),
    /** False for what was fetched rather than delivered: no feeds, no notifications. */
    push: z.boolean(),
  }),
  about: 'A status or boost exists and may be shown; local and remote alike.',
})

export const statusEdited = event('statuses.status.edited', {
  data: base.extend({
    mentions: z.array(z.string()),
    /** Mentions that the edit added. */
    added: z.array(z.string()).optional(),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    editedAt: z.string(),
  }),
  about: 'A status says something else now.',
})

export const statusDeleted = event('statuses.status.deleted', {
  data: base.extend({
    uri: z.string(),
    /** Activity id of the boost when it is one. */
    mentions: z.array(z.string()),
    tags: z.array(z.string()),
    hasMedia: z.boolean(),
    inReplyTo: z.string().nullable(),
    createdAt: z.string(),
  }),
  about: 'A status or boost is gone.',
})

export const statusRefreshed = event('statuses.status.refreshed', {
  data: z.object({ id: z.string(), author: z.string() }),
  about: 'A local status says the same as before, with another approval or another policy for quotes.',
})

/** Ids of statuses whose cards changed. */
export const statusHint = hint('statuses.status', 'Status cards to forget.')

export const renderByIds = operation('statuses.render.by-ids', {
  viewer: internal(),
  large: true,
  input: z.object({
    /** Account id; null sees what anonymous visitors see. */
    viewer: z.string().nullable(),
    ids: z.array(z.string()).max(200),
    /** Where it will be shown; decides which rules hold. */
    place: z.enum(['home', 'list', 'public', 'thread', 'account', 'notifications', 'report', 'direct']),
  }),
  output: linesOf(Status),
  about: 'Status JSON for a viewer by id; what they may not see is left out.',
})
