/** Hashtags below `/admin`: search, and change of their permissions to be used, listed and trending. */
import type { AdminTag } from '@murmuration/contracts/entities'
import { listAdminTags, showAdminTag, updateAdminTag } from '@murmuration/contracts/statuses'
import { type Html, html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { t } from '../core/language.js'
import { numberOf } from '../core/parts/time.js'
import { isOn, lineOf, problemOf, switchOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, definitionList, field, filtersIn, nextPage, table } from './table.js'

const HERE = '/admin/tags'
const ROWS = 50
const pathOf = (id: string): string => `${HERE}/${id}`

const usesOf = ({ history }: AdminTag): number => history.reduce((sum, { uses }) => sum + Number(uses), 0)
const accountsOf = ({ history }: AdminTag): number => Math.max(0, ...history.map(({ accounts }) => Number(accounts)))

const states = (tag: AdminTag): Html => {
  const shown = [
    !tag.usable && badge(t('Not usable'), 'bad'),
    !tag.listable && badge(t('Not listed'), 'warn'),
    tag.trendable && badge(t('May trend'), 'ok'),
    tag.requires_review && badge(t('Needs review'), 'warn'),
  ].filter((one) => one !== false)
  return html`<span class="states">${shown.length > 0 ? shown : html`<span class="muted">–</span>`}</span>`
}

const list = async (request: StaffRequest): Promise<void> => {
  const query = filtersIn(request.req.query, ['name'])
  const max_id = idOrNull(filtersIn(request.req.query, ['max_id']).max_id)
  const { items, older } = await request.callApi.page(listAdminTags, {
    ...query,
    ...(max_id === null ? {} : { max_id }),
    limit: ROWS,
  })
  request.show({
    title: t('Hashtags'),
    current: 'tags',
    body: html`<form class="card filters" method="get" action="${HERE}" role="search">${field({ name: 'name', label: t('Name begins with'), value: query.name ?? '' })}<div class="acts"><button type="submit">${t('Search')}</button><a class="button quiet" href="${HERE}">${t('Reset')}</a></div></form>${table(
      t('Hashtags'),
      [t('Hashtag'), t('State'), t('Uses in a week'), t('Most accounts in a day')],
      items.map((tag) => [
        html`<a href="${pathOf(tag.id)}"><b>#${tag.name}</b></a>`,
        states(tag),
        numberOf(usesOf(tag)),
        numberOf(accountsOf(tag)),
      ]),
      query.name === undefined ? t('No hashtag was used yet.') : t('No hashtag matches.'),
    )}${items.length >= ROWS ? nextPage(HERE, query, { max_id: older }) : ''}`,
  })
}

const show = async (
  request: StaffRequest,
  form: Fields | null = null,
  problem: string | null = null,
): Promise<void> => {
  const tag = await request.callApi(showAdminTag, { id: idIn(request.req.params.id) })
  const isChecked = (name: 'usable' | 'listable' | 'trendable'): boolean => (form ? isOn(form, name) : tag[name])
  request.show({
    title: `#${tag.name}`,
    heading: html`#${tag.name} ${states(tag)}`,
    above: html`<a href="${HERE}">${t('Hashtags')}</a>`,
    current: 'tags',
    refused: Boolean(problem),
    body: html`<div class="columns"><form class="card edit" method="post" action="${pathOf(tag.id)}">${request.csrfField}${problemOf(problem)}${lineOf({ name: 'display_name', label: t('Spelling'), help: t('Only capital letters and accents can change.'), value: form ? textIn(form, 'display_name') : tag.name })}${switchOf({ name: 'usable', label: t('May be used in posts'), help: t('Otherwise new posts with it are refused.'), on: isChecked('usable') })}${switchOf({ name: 'listable', label: t('Listed in search and suggestions'), on: isChecked('listable') })}${switchOf({ name: 'trendable', label: t('May trend'), on: isChecked('trendable') })}<p class="muted small">${t('After saving, the hashtag counts as reviewed.')}</p><button type="submit">${t('Save')}</button></form><section class="card"><h2>${t('Use')}</h2>${definitionList(
      [
        [t('Uses in a week'), numberOf(usesOf(tag))],
        [t('Most accounts in a day'), numberOf(accountsOf(tag))],
      ],
    )}<p class="acts"><a class="button quiet" href="/home/tags/${encodeURIComponent(tag.name)}">${t('Posts with the hashtag')}</a></p></section></div>`,
  })
}

export const addTags = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_taxonomies', list)
  admin.add('get', pathOf(':id'), 'manage_taxonomies', (request) => show(request))
  admin.add('post', pathOf(':id'), 'manage_taxonomies', async (request, form) => {
    const id = idIn(request.req.params.id)
    const problem = await attempt(() =>
      request.callApi(updateAdminTag, {
        id,
        display_name: textIn(form, 'display_name'),
        usable: isOn(form, 'usable'),
        listable: isOn(form, 'listable'),
        trendable: isOn(form, 'trendable'),
      }),
    )
    return problem ? show(request, form, problem) : request.done(pathOf(id), t('The hashtag was changed.'))
  })
}
