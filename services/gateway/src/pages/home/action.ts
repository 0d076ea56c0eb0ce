/** Actions of the buttons below a post: favourite, boost and bookmark, each with its undo, and deletion of an own post. */
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  addBookmark,
  addFavourite,
  addReblog,
  deleteStatus,
  removeBookmark,
  removeFavourite,
  removeReblog,
} from '@murmuration/contracts/statuses'
import { attempt } from '../core/attempt.js'
import { idIn, idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { statusPath } from './article.js'
import { backIn, type Home } from './frame.js'

const OPERATIONS = new Map<unknown, AnyOperation>([
  ['favourite', addFavourite],
  ['unfavourite', removeFavourite],
  ['reblog', addReblog],
  ['unreblog', removeReblog],
  ['bookmark', addBookmark],
  ['unbookmark', removeBookmark],
  ['delete', deleteStatus],
])

export const addAction = (home: Home): void =>
  home.add('post', statusPath(':id'), async ({ req, callApi, done }, form) => {
    const id = idIn(req.params.id)
    const operation = OPERATIONS.get(form.do)
    if (!operation) throw pageNotFound()
    const back = backIn(form)
    const at = idOrNull(form.at)
    const problem = await attempt(() => callApi(operation, { id }))
    if (operation === deleteStatus)
      return done(back.startsWith(statusPath(id)) ? '/home' : back, problem ?? t('The post was deleted.'))
    done(at === null ? back : `${back}#s-${at}`, problem ?? undefined)
  })
