/** Custom emoji of this server below `/admin`: list, search, add, change and remove. */
import { limits } from '@murmuration/contracts/limits'
import { createEmoji, listAllEmojis, removeEmoji, type StaffEmoji, updateEmoji } from '@murmuration/contracts/media'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../core/html.js'
import { labels, t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { isOn, lineOf, problemOf, switchOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { REMOTE_EMOJIS } from './remote-emojis.js'
import { badge, field, filtersIn, nextPage, select, table } from './table.js'

const HERE = '/admin/custom_emojis'
const ROWS = 100
const SHORTCODE = limits.media.emojiShortcode
const pathOf = (shortcode: string): string => `${HERE}/${encodeURIComponent(shortcode)}`

const STATES: readonly (readonly [string, Message])[] = [
  ['', msg('All')],
  ['enabled', msg('Enabled')],
  ['disabled', msg('Disabled')],
  ['hidden', msg('Not in pickers')],
]

const picture = ({ shortcode, static_url }: StaffEmoji): Html =>
  html`<img class="emoji big" src="${static_url}" alt="" width="32" height="32" loading="lazy"> <b>:${shortcode}:</b>`

const stateOf = ({ disabled, visible_in_picker }: StaffEmoji): Html => {
  if (disabled) return badge(t('Disabled'), 'bad')
  return visible_in_picker ? badge(t('Enabled'), 'ok') : badge(t('Not in pickers'), 'warn')
}

const isIn = (one: StaffEmoji, state: string | undefined): boolean => {
  if (state === 'enabled') return !one.disabled
  if (state === 'disabled') return one.disabled
  return state === 'hidden' ? !one.disabled && !one.visible_in_picker : true
}

const categoriesOf = (all: readonly StaffEmoji[]): string[] =>
  [...new Set(all.flatMap(({ category }) => (category ? [category] : [])))].sort((a, b) => a.localeCompare(b))

const categories = (names: readonly string[]): Html =>
  html`<datalist id="categories">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>`

const uploadForm = ({ csrfField }: StaffRequest, form: Fields, problem: string | null): Html =>
  html`<details class="card"${problem ? html` open` : ''}><summary>${t('Add an emoji')}</summary><form class="edit" method="post" action="${HERE}" enctype="multipart/form-data">${csrfField}${problemOf(problem)}${lineOf({ name: 'shortcode', label: t('Shortcode'), help: t('At least two letters, digits or underscores. Written between colons in posts.'), value: textIn(form, 'shortcode'), max: SHORTCODE.max, required: true })}<div class="control"><label for="file">${t('Picture')}</label><input id="file" type="file" name="file" accept="image/png,image/gif,image/webp,image/jpeg" aria-describedby="file-help" required><p class="help" id="file-help">${t('PNG, GIF, WebP or JPEG of less than 256 KB.')}</p></div><div class="control"><label for="new-category">${t('Category')}</label><input id="new-category" type="text" name="category" value="${textIn(form, 'category')}" maxlength="100" list="categories" aria-describedby="new-category-help"><p class="help" id="new-category-help">${t('Optional. Pickers group emoji by it.')}</p></div>${switchOf({ name: 'replace', label: t('Replace the picture if the shortcode exists'), on: isOn(form, 'replace') })}<button type="submit">${t('Add')}</button></form></details>`

const list = async (request: StaffRequest, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const query = filtersIn(request.req.query, ['q', 'category', 'state'])
  const page = Math.max(1, Number(filtersIn(request.req.query, ['page']).page) || 1)
  const all = await request.callApi(listAllEmojis, {})
  const names = categoriesOf(all)
  const wanted = (query.q ?? '').replaceAll(':', '').toLowerCase()
  const found = all.filter(
    (one) =>
      one.shortcode.toLowerCase().includes(wanted) &&
      (query.category === undefined || one.category === query.category) &&
      isIn(one, query.state),
  )
  const shown = found.slice((page - 1) * ROWS, page * ROWS)
  request.show({
    title: t('Custom emoji'),
    current: 'custom-emojis',
    refused: Boolean(problem),
    body: html`${categories(names)}<p><a class="button quiet" href="${REMOTE_EMOJIS}">${t('Copy from another server')}</a></p>${uploadForm(request, form, problem)}<form class="card filters" method="get" action="${HERE}" role="search">${field({ name: 'q', label: t('Shortcode contains'), value: query.q ?? '' })}${select({ name: 'category', label: t('Category'), value: query.category ?? '' }, [['', t('All')], ...names.map((name) => [name, name] as const)])}${select({ name: 'state', label: t('State'), value: query.state ?? '' }, labels(STATES))}<div class="acts"><button type="submit">${t('Filter')}</button><a class="button quiet" href="${HERE}">${t('Reset')}</a></div></form><p class="muted">${t('{count, plural, one {# emoji} other {# emoji}}', { count: found.length })}</p>${table(
      t('Custom emoji'),
      [t('Emoji'), t('Category'), t('State'), ''],
      shown.map((one) => [
        picture(one),
        one.category ?? html`<span class="muted">–</span>`,
        stateOf(one),
        html`<form class="row" method="post" action="${pathOf(one.shortcode)}">${request.csrfField}<a class="button quiet" href="${pathOf(one.shortcode)}" aria-label="${t('Edit {shortcode}', { shortcode: one.shortcode })}">${t('Edit')}</a>${
          one.disabled
            ? html`<button class="quiet" type="submit" name="do" value="enable">${t('Enable')}</button>`
            : html`<button class="quiet" type="submit" name="do" value="disable">${t('Disable')}</button>`
        }</form>`,
      ]),
      all.length === 0 ? t('This server has no custom emoji yet.') : t('No emoji matches.'),
    )}${found.length > page * ROWS ? nextPage(HERE, query, { page: String(page + 1) }) : ''}`,
  })
}

const shortcodeOf = ({ req }: StaffRequest): string => {
  const shortcode = String(req.params.shortcode ?? '')
  if (!/^\w+$/.test(shortcode) || shortcode.length < SHORTCODE.min || shortcode.length > SHORTCODE.max)
    throw pageNotFound()
  return shortcode
}

const show = async (
  request: StaffRequest,
  form: Fields | null = null,
  problem: string | null = null,
): Promise<void> => {
  const shortcode = shortcodeOf(request)
  const all = await request.callApi(listAllEmojis, {})
  const one = all.find((each) => each.shortcode === shortcode)
  if (!one) throw pageNotFound()
  request.show({
    title: `:${shortcode}:`,
    heading: html`${picture(one)} ${stateOf(one)}`,
    above: html`<a href="${HERE}">${t('Custom emoji')}</a>`,
    current: 'custom-emojis',
    refused: Boolean(problem),
    body: html`${categories(categoriesOf(all))}<form class="card edit" method="post" action="${pathOf(shortcode)}">${request.csrfField}${problemOf(problem)}<div class="control"><label for="category">${t('Category')}</label><input id="category" type="text" name="category" value="${form ? textIn(form, 'category') : (one.category ?? '')}" maxlength="100" list="categories" aria-describedby="category-help"><p class="help" id="category-help">${t('Optional. Pickers group emoji by it.')}</p></div>${switchOf({ name: 'visible', label: t('Show in pickers'), help: t('Emoji that are not in pickers still work when their shortcode is typed.'), on: form ? isOn(form, 'visible') : one.visible_in_picker })}${switchOf({ name: 'disabled', label: t('Disable'), help: t('Nobody can use the emoji. New posts show its shortcode.'), on: form ? isOn(form, 'disabled') : one.disabled })}<button type="submit" name="do" value="save">${t('Save')}</button></form><form class="card edit" method="post" action="${pathOf(shortcode)}">${request.csrfField}<h2>${t('Remove the emoji')}</h2><p>${t('Posts that use it show its shortcode. To add it again, the picture is needed.')}</p><button class="danger" type="submit" name="do" value="remove">${t('Remove')}</button></form>`,
  })
}

const add = async (request: StaffRequest, form: Fields, read: () => Promise<Buffer | null>): Promise<void> => {
  const shortcode = textIn(form, 'shortcode')
    .trim()
    .replace(/^:(.*):$/, '$1')
  const image = await read()
  if (image === null) return list(request, form, t('Choose a picture.'))
  const known = await request.callApi(listAllEmojis, {})
  if (!isOn(form, 'replace') && known.some((one) => one.shortcode === shortcode))
    return list(request, form, t('There is an emoji with this shortcode already.'))
  const category = textIn(form, 'category').trim() || null
  const problem = await attempt(() =>
    request.callApi(createEmoji, { shortcode, image: image.toString('base64'), category }),
  )
  return problem ? list(request, form, problem) : request.done(HERE, t('The emoji was added.'))
}

const change = async (request: StaffRequest, form: Fields): Promise<void> => {
  const shortcode = shortcodeOf(request)
  if (form.do === 'remove') {
    await request.callApi(removeEmoji, { shortcode })
    return request.done(HERE, t('The emoji was removed.'))
  }
  if (form.do === 'enable' || form.do === 'disable') {
    await request.callApi(updateEmoji, { shortcode, disabled: form.do === 'disable' })
    return request.done(HERE, t('The emoji was changed.'))
  }
  if (form.do !== 'save') throw pageNotFound()
  const category = textIn(form, 'category').trim() || null
  const problem = await attempt(() =>
    request.callApi(updateEmoji, {
      shortcode,
      category,
      visible_in_picker: isOn(form, 'visible'),
      disabled: isOn(form, 'disabled'),
    }),
  )
  return problem ? show(request, form, problem) : request.done(HERE, t('The emoji was changed.'))
}

export const addEmojis = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_custom_emojis', (request) => list(request))
  admin.addUpload(HERE, 'manage_custom_emojis', { bytes: limits.media.emojiBytes, refuse: list }, add)
  admin.add('get', `${HERE}/:shortcode`, 'manage_custom_emojis', (request) => show(request))
  admin.add('post', `${HERE}/:shortcode`, 'manage_custom_emojis', change)
}
