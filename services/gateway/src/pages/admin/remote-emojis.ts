/** Custom emoji of other servers below `/admin`: search, and copy to this server. */
import { limits } from '@murmuration/contracts/limits'
import { copyRemoteEmoji, listRemoteEmojis, type RemoteEmoji } from '@murmuration/contracts/media'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { problemOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, field, filtersIn, idsIn, nextPage, table } from './table.js'

export const REMOTE_EMOJIS = '/admin/remote_emojis'
const COPY = `${REMOTE_EMOJIS}/copy`
const ROWS = 50
const SHORTCODE = limits.media.emojiShortcode.max

const copyForm = ({ csrfField }: StaffRequest, { id, shortcode, taken }: RemoteEmoji, form: Fields): Html => {
  const name = form.id === id ? textIn(form, 'shortcode') : shortcode
  return html`<form class="row copy" method="post" action="${COPY}">${csrfField}<input type="hidden" name="id" value="${id}"><input type="text" name="shortcode" value="${name}" aria-label="${t('Shortcode of {shortcode} on this server', { shortcode })}" maxlength="${SHORTCODE}" required><button class="quiet" type="submit">${t('Copy')}</button>${taken ? html`<button class="quiet" type="submit" name="overwrite" value="1">${t('Replace')}</button>` : ''}</form>`
}

const list = async (request: StaffRequest, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const query = filtersIn(request.req.query, ['q', 'domain'])
  const [max_id] = idsIn(filtersIn(request.req.query, ['max_id']).max_id, 1)
  let items: readonly RemoteEmoji[] = []
  let older: string | null = null
  const refusal = await attempt(async () => {
    const input = { q: (query.q ?? '').replaceAll(':', ''), domain: query.domain ?? '', limit: ROWS }
    ;({ items, older } = await request.callApi.page(listRemoteEmojis, { ...input, ...(max_id && { max_id }) }))
  })
  request.show({
    title: t('Emoji of other servers'),
    above: html`<a href="/admin/custom_emojis">${t('Custom emoji')}</a>`,
    current: 'custom-emojis',
    refused: Boolean(problem ?? refusal),
    body: html`<p class="muted">${t('Emoji of posts and profiles that are known here. Copied emoji can be used on this server.')}</p>${problemOf(problem ?? refusal)}<form class="card filters" method="get" action="${REMOTE_EMOJIS}" role="search">${field({ name: 'q', label: t('Shortcode begins with'), value: query.q ?? '' })}${field({ name: 'domain', label: t('Server'), value: query.domain ?? '' })}<div class="acts"><button type="submit">${t('Filter')}</button><a class="button quiet" href="${REMOTE_EMOJIS}">${t('Reset')}</a></div></form>${table(
      t('Emoji of other servers'),
      [t('Emoji'), t('Server'), ''],
      items.map((one) => [
        html`<img class="emoji big" src="${one.static_url}" alt="" width="32" height="32" loading="lazy"> <b class="long">:${one.shortcode}:</b> ${one.taken ? badge(t('Exists here'), 'warn') : ''}`,
        one.domain,
        copyForm(request, one, form),
      ]),
      t('No emoji matches.'),
    )}${items.length >= ROWS ? nextPage(REMOTE_EMOJIS, query, { max_id: older }) : ''}`,
  })
}

const copy = async (request: StaffRequest, form: Fields): Promise<void> => {
  const shortcode = textIn(form, 'shortcode')
    .trim()
    .replace(/^:(.*):$/, '$1')
  const problem = await attempt(() =>
    request.callApi(copyRemoteEmoji, { id: textIn(form, 'id'), shortcode, overwrite: form.overwrite === '1' }),
  )
  return problem ? list(request, form, problem) : request.done('/admin/custom_emojis', t('The emoji was copied.'))
}

export const addRemoteEmojis = (admin: Admin): void => {
  admin.add('get', REMOTE_EMOJIS, 'manage_custom_emojis', (request) => list(request))
  admin.add('post', COPY, 'manage_custom_emojis', copy)
}
