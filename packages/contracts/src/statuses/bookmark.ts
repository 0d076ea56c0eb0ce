/** Operations about bookmarks: private marks on statuses. */
import { z } from 'zod'
import { Status } from '../entities/index.js'
import { get, id, operation, page, pageOf, post, user } from '../kit/index.js'

const change = (verb: 'bookmark' | 'unbookmark', name: 'add' | 'remove', about: string) =>
  operation(`statuses.bookmark.${name}`, {
    http: post(`/api/v1/statuses/:id/${verb}`),
    viewer: user('write|write:bookmarks'),
    input: z.object({ id: id() }),
    output: Status,
    errors: ['not_found'],
    about,
  })
export const addBookmark = change('bookmark', 'add', 'Bookmarks a status. Only the viewer sees bookmarks.')
export const removeBookmark = change('unbookmark', 'remove', 'Removes a bookmark.')

export const listBookmarks = operation('statuses.bookmark.list', {
  http: get('/api/v1/bookmarks'),
  viewer: user('read|read:bookmarks'),
  input: page(),
  large: true,
  output: pageOf(Status, 'list'),
  about: 'Bookmarked statuses of the viewer, latest bookmark first.',
})
