/** Hashtags as staff manages them: listed, shown, and changed in what they may be used for. */
import { z } from 'zod'
import { AdminTag } from '../entities/index.js'
import { flag, get, id, operation, pageFields, pageOf, put, text, user } from '../kit/index.js'
import { limits } from '../limits.js'

const { default: usual, max: most } = limits.pages.admin
const may = { permission: 'manage_taxonomies' }
const reads = user('admin:read', may)
const writes = user('admin:write', may)

export const listAdminTags = operation('statuses.tag-review.list', {
  http: get('/api/v1/admin/tags'),
  viewer: reads,
  class: 'admin',
  input: z.object(pageFields(usual, most)),
  output: pageOf(AdminTag, 'C'),
  large: true,
  about: 'Every hashtag that was used or followed here, the newest first.',
})

export const showAdminTag = operation('statuses.tag-review.show', {
  http: get('/api/v1/admin/tags/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminTag,
  errors: ['not_found'],
  about: 'One hashtag with the decisions of staff about it.',
})

export const updateAdminTag = operation('statuses.tag-review.update', {
  http: put('/api/v1/admin/tags/:id'),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    /** Another spelling of the same name, such as other capital letters. */
    display_name: z.union([z.null(), text(1_000)]).optional(),
    listable: flag(),
    trendable: flag(),
    usable: flag(),
  }),
  output: AdminTag,
  errors: ['not_found', 'unprocessable'],
  about:
    'Decides whether a hashtag may be used, trend and be listed, and how it is spelled; it counts as reviewed after that.',
})
