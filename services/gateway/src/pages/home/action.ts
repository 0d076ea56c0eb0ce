/**
 * Actions of the buttons below a post: favourite, boost and bookmark, each with its undo, and deletion of an own post after
 * a confirmation.
 */
import type { AnyOperation } from '@murmuration/contracts/kit'
import {
  addBookmark,
  addFavourite,
  addReblog,
  deleteStatus,
  removeBookmark,
  removeFavourite,
  removeReblog,
  showStatus,
} from '@murmuration/contracts/statuses'
import { excerpt } from '@murmuration/text'
import { attempt } from '../core/attempt.js'
import { html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { shownText } from '../core/parts/status.js'
import { statusPath } from './article.js'
import { backIn, type Home, type HomeRequest } from './frame.js'

const OPERATIONS = new Map<unknown, AnyOperation>([
  ['favourite', addFavourite],
  ['unfavourite', removeFavourite],
  ['reblog', addReblog],
  ['unreblog', removeReblog],
  ['bookmark', addBookmark],
  ['unbookmark', removeBookmark],
  ['delete', deleteStatus],
])

/** Shows the page that asks whether to delete an own post. */
const confirmDeletion = async (
  request: HomeRequest,
  { id, back, at }: { id: string; back: string; at: string | null },
): Promise<void> => {
  const { callApi, csrfField, show, user } = request
  const status = await callApi(showStatus, { id })
  if (status.account.id !== user.viewer.id) throw pageNotFound()
  await show({
    title: t('Delete this post'),
    body: html`<form class="card" method="post" action="${statusPath(id)}">${csrfField}<input type="hidden" name="back" value="${back}"><input type="hidden" name="sure" value="1"><p>${t('Are you sure you want to delete this post? This cannot be undone.')}</p><p class="muted summary">${excerpt(shownText(status), 200) || t('a post')}</p><p class="row"><button class="danger" type="submit" name="do" value="delete">${t('Delete')}</button><a class="button quiet" href="${back}${at === null ? '' : `#s-${at}`}">${t('Cancel')}</a></p></form>`,
  })
}

export const addAction = (home: Home): void =>
  home.add('post', statusPath(':id'), async (request, form) => {
    const { req, callApi, done } = request
    const id = idIn(req.params.id)
    const operation = OPERATIONS.get(form.do)
    if (!operation) throw pageNotFound()
    const back = backIn(form)
    const at = idOrNull(form.at)
    if (operation === deleteStatus && form.sure !== '1') return confirmDeletion(request, { id, back, at })
    const problem = await attempt(() => callApi(operation, { id }))
    if (operation === deleteStatus)
      return done(back.startsWith(statusPath(id)) ? '/home' : back, problem ?? t('The post was deleted.'))
    done(at === null ? back : `${back}#s-${at}`, problem ?? undefined)
  })
