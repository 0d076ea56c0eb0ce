/** Events of other services, with default values in all members. */
import type { followCreated, muteCreated } from '@murmuration/contracts/accounts'
import type { favouriteCreated, statusCreated, statusDeleted, statusEdited } from '@murmuration/contracts/statuses'
import type { z } from 'zod'

type Created = z.input<(typeof statusCreated)['data']>

/** Event of a local public status by `author`. */
export const posted = (id: string, author: string, more: Partial<Created> = {}): Created => ({
  id,
  author,
  local: true,
  visibility: 'public',
  reblogOf: null,
  reblogOfAuthor: null,
  reblogOfLocal: false,
  uri: `https://here.example/statuses/${id}`,
  inReplyTo: null,
  inReplyToAuthor: null,
  conversation: '1',
  mentions: [],
  language: 'en',
  tags: [],
  hasMedia: false,
  push: true,
  ...more,
})

export const boosted = (id: string, by: string, of: string, author: string): Created =>
  posted(id, by, { reblogOf: of, reblogOfAuthor: author, reblogOfLocal: true })

export const deleted = (id: string, author: string): z.input<(typeof statusDeleted)['data']> => {
  const { conversation: _c, language: _l, push: _p, inReplyToAuthor: _a, ...rest } = posted(id, author)
  return { ...rest, createdAt: '2026-01-02T03:04:05.678Z' }
}

export const edited = (
  id: string,
  author: string,
  more: Partial<z.input<(typeof statusEdited)['data']>> = {},
): z.input<(typeof statusEdited)['data']> => {
  const {
    id: one,
    local,
    visibility,
    reblogOf,
    reblogOfAuthor,
    reblogOfLocal,
    mentions,
    tags,
    hasMedia,
  } = posted(id, author)
  return {
    ...{ id: one, author, local, visibility, reblogOf, reblogOfAuthor, reblogOfLocal, mentions, tags, hasMedia },
    editedAt: '2026-01-02T03:04:05.678Z',
    ...more,
  }
}

export const favourited = (
  id: string,
  by: string,
  status: string,
  author: string,
): z.input<(typeof favouriteCreated)['data']> => ({
  id,
  status,
  statusUri: `https://here.example/statuses/${status}`,
  author,
  authorLocal: true,
  by,
  byLocal: true,
  uri: null,
})

const pair = (id: string, from: string, to: string) => ({ id, from, to, fromLocal: true, toLocal: true, uri: null })
export const followed = (id: string, from: string, to: string): z.input<(typeof followCreated)['data']> => ({
  ...pair(id, from, to),
  accepted: false,
})
export const asked = pair
export const blocked = pair
export const muted = (
  id: string,
  from: string,
  to: string,
  notifications: boolean,
): z.input<(typeof muteCreated)['data']> => ({ ...pair(id, from, to), notifications })
