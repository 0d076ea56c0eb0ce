/** Warning presets (texts for actions on accounts) below `/admin`: create, change and delete. */
import {
  createWarningPreset,
  listWarningPresets,
  removeWarningPreset,
  updateWarningPreset,
} from '@murmuration/contracts/admin'
import type { AdminWarningPreset } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { lineOf, linesOf, problemOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { filtersIn, nextPage } from './table.js'

const HERE = '/admin/warning_presets'
const ROWS = 50
const pathOf = (id: string): string => `${HERE}/${id}`

/** A refused form of a warning preset. `id` is `new` for a new preset. */
interface Refused {
  readonly id: string
  readonly form: Fields
  readonly problem: string
}

const fields = (id: string, { title, text }: { title: string; text: string }): Html =>
  html`${lineOf({
    name: 'title',
    id: `title-${id}`,
    label: t('Title'),
    help: t('Only staff sees the title.'),
    value: title,
    max: 100,
  })}${linesOf({
    name: 'text',
    id: `text-${id}`,
    label: t('Text'),
    value: text,
    rows: 4,
    max: limits.accounts.moderationNoteCharacters,
    required: true,
  })}`

const presetCard = ({ csrfField }: StaffRequest, one: AdminWarningPreset, refused: Refused | null): Html => {
  const isRefused = refused?.id === one.id
  const shown = isRefused ? { title: textIn(refused.form, 'title'), text: textIn(refused.form, 'text') } : one
  return html`<details class="card"${isRefused ? html` open` : ''}><summary>${one.title || one.text.slice(0, 80)}</summary><form class="edit" method="post" action="${pathOf(one.id)}">${csrfField}${problemOf(isRefused ? refused.problem : null)}${fields(one.id, shown)}<p class="acts"><button type="submit" name="do" value="save">${t('Save')}</button><button class="danger" type="submit" name="do" value="delete" formnovalidate>${t('Delete')}</button></p></form></details>`
}

const show = async (request: StaffRequest, refused: Refused | null = null): Promise<void> => {
  const { callApi, csrfField, req } = request
  const { max_id } = filtersIn(req.query, ['max_id'])
  const page = { limit: ROWS, ...(max_id && isId(max_id) ? { max_id } : {}) }
  const { items, older } = await callApi.page(listWarningPresets, page)
  const fresh = refused?.id === 'new' ? refused : null
  const typed = { title: textIn(fresh?.form ?? {}, 'title'), text: textIn(fresh?.form ?? {}, 'text') }
  request.show({
    title: t('Warning presets'),
    current: 'warning-presets',
    refused: Boolean(refused),
    body: html`<p>${t('Texts that moderators choose when they act on an account. The account holder reads the preset, followed by the text that the moderator writes.')}</p>${items.map(
      (one) => presetCard(request, one, refused),
    )}${items.length >= ROWS ? nextPage(HERE, {}, { max_id: older }) : ''}<section class="card"><h2>${t('New preset')}</h2><form class="edit" method="post" action="${HERE}">${csrfField}${problemOf(fresh?.problem)}${fields('new', typed)}<button type="submit">${t('Add')}</button></form></section>`,
  })
}

export const addWarningPresets = (admin: Admin): void => {
  const wanted = (form: Fields) => ({ title: textIn(form, 'title'), text: textIn(form, 'text') })
  admin.add('get', HERE, 'manage_settings', (request) => show(request))
  admin.add('post', HERE, 'manage_settings', async (request, form) => {
    const problem = await attempt(() => request.callApi(createWarningPreset, wanted(form)))
    if (problem) return show(request, { id: 'new', form, problem })
    request.done(HERE, t('The preset was added.'))
  })
  admin.add('post', pathOf(':id'), 'manage_settings', async (request, form) => {
    const id = idIn(request.req.params.id)
    if (form.do !== 'save' && form.do !== 'delete') throw pageNotFound()
    const isDeleted = form.do === 'delete'
    const problem = await attempt(() =>
      isDeleted
        ? request.callApi(removeWarningPreset, { id })
        : request.callApi(updateWarningPreset, { id, ...wanted(form) }),
    )
    if (problem) return show(request, { id, form, problem })
    request.done(HERE, isDeleted ? t('The preset was deleted.') : t('The preset was saved.'))
  })
}
