/** Server rules below `/admin`: add, order, change, translate and remove. */
import { createRule, listRules, orderRules, removeRule, updateRule } from '@murmuration/contracts/admin'
import type { Rule } from '@murmuration/contracts/entities'
import { LANGUAGES } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { languageNames, t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { choiceOf, lineOf, linesOf, problemOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { table } from './table.js'

const HERE = '/admin/rules'
const pathOf = (id: string): string => `${HERE}/${id}`

interface Refused {
  readonly form: Fields
  readonly problem: string
}

const excerptOf = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text)

const moves = ({ csrfField }: StaffRequest, { id, text }: Rule, at: number, count: number): Html => {
  const rule = excerptOf(text)
  const button = (name: string, label: string, sign: string, isEnd: boolean): Html =>
    html`<button class="quiet" type="submit" name="do" value="${name}" aria-label="${label}"${isEnd ? html` disabled` : ''}>${sign}</button>`
  return html`<form class="row keep" method="post" action="${pathOf(id)}/move">${csrfField}${button('up', t('Move up: {rule}', { rule }), '↑', at === 0)}${button('down', t('Move down: {rule}', { rule }), '↓', at === count - 1)}<a class="button quiet" href="${pathOf(id)}">${t('Edit')}</a></form>`
}

const list = async (request: StaffRequest, refused: Refused | null = null): Promise<void> => {
  const rules = await request.callApi(listRules, {})
  const names = languageNames(rules.flatMap((one) => Object.keys(one.translations)))
  request.show({
    title: t('Server rules'),
    current: 'rules',
    refused: Boolean(refused),
    body: html`<p class="muted">${t('Rules are shown on the about page and before sign-up. Reports can name the rule that was broken.')}</p>${table(
      t('Server rules'),
      [t('Rule'), t('Translations'), ''],
      rules.map((one, at) => [
        html`<b class="long">${one.text}</b>${one.hint ? html`<p class="muted long">${one.hint}</p>` : ''}`,
        Object.keys(one.translations)
          .map((code) => names.get(code) ?? code)
          .join(', ') || html`<span class="muted">–</span>`,
        moves(request, one, at, rules.length),
      ]),
      t('This server has no rules yet.'),
    )}<form class="card edit" method="post" action="${HERE}">${request.csrfField}<h2>${t('Add a rule')}</h2>${problemOf(refused?.problem)}${lineOf({ name: 'text', label: t('Rule'), value: textIn(refused?.form ?? {}, 'text'), required: true })}${linesOf({ name: 'hint', label: t('Explanation'), help: t('Optional. Shown below the rule.'), value: textIn(refused?.form ?? {}, 'hint'), rows: 2, max: 1_000 })}<button type="submit">${t('Add')}</button></form>`,
  })
}

/** Translations by language, from fields such as `translations[de][text]`. Translations without a text are omitted. */
const translationsIn = (form: Fields): Record<string, { text: string; hint: string }> => {
  const given = (typeof form.translations === 'object' ? form.translations : {}) as Record<string, unknown>
  const added = {
    language: textIn(form, 'new_language'),
    text: textIn(form, 'new_text'),
    hint: textIn(form, 'new_hint'),
  }
  const kept = Object.entries(given ?? {}).flatMap(([language, value]) => {
    const fields = (typeof value === 'object' && value !== null ? value : {}) as Fields
    return [{ language, text: textIn(fields, 'text'), hint: textIn(fields, 'hint') }]
  })
  return Object.fromEntries(
    [...kept, added]
      .filter(({ language, text }) => language !== '' && text.trim() !== '')
      .map(({ language, text, hint }) => [language, { text, hint }]),
  )
}

const translationFields = (language: string, name: string, { text, hint }: { text: string; hint: string }): Html =>
  html`<fieldset><legend>${name}</legend>${lineOf({ id: `text-${language}`, name: `translations[${language}][text]`, label: t('Rule'), value: text })}${linesOf({ id: `hint-${language}`, name: `translations[${language}][hint]`, label: t('Explanation'), value: hint, rows: 2, max: 1_000 })}</fieldset>`

const show = async (request: StaffRequest, refused: Refused | null = null): Promise<void> => {
  const id = idIn(request.req.params.id)
  const stored = (await request.callApi(listRules, {})).find((one) => one.id === id)
  if (!stored) throw pageNotFound()
  const rule = refused
    ? {
        text: textIn(refused.form, 'text'),
        hint: textIn(refused.form, 'hint'),
        translations: translationsIn(refused.form),
      }
    : stored
  const codes = Object.keys(LANGUAGES).sort()
  const names = languageNames(codes)
  const nameOf = (code: string): string => names.get(code) ?? code
  const free = codes
    .filter((code) => !(code in rule.translations))
    .map((code) => [code, nameOf(code)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b))
  request.show({
    title: t('Edit a rule'),
    current: 'rules',
    above: html`<a href="${HERE}">${t('Server rules')}</a>`,
    refused: Boolean(refused),
    body: html`<form class="card edit" method="post" action="${pathOf(id)}">${request.csrfField}${problemOf(refused?.problem)}${lineOf({ name: 'text', label: t('Rule'), value: rule.text, required: true })}${linesOf({ name: 'hint', label: t('Explanation'), help: t('Optional. Shown below the rule.'), value: rule.hint, rows: 2, max: 1_000 })}<h2>${t('Translations')}</h2><p class="muted">${t('Readers see the translation in their language, or else the rule itself. Empty the text to remove a translation.')}</p>${Object.entries(
      rule.translations,
    ).map(([code, texts]) =>
      translationFields(code, nameOf(code), texts),
    )}<fieldset><legend>${t('Add a translation')}</legend>${choiceOf(
      { name: 'new_language', label: t('Language'), value: '' },
      Object.fromEntries([['', '–'], ...free]),
    )}${lineOf({ name: 'new_text', label: t('Rule') })}${linesOf({ name: 'new_hint', label: t('Explanation'), rows: 2, max: 1_000 })}</fieldset><div class="acts"><button type="submit" name="do" value="save">${t('Save')}</button></div></form><form class="card edit" method="post" action="${pathOf(id)}">${request.csrfField}<h2>${t('Remove the rule')}</h2><p>${t('Reports that name it keep it.')}</p><button class="danger" type="submit" name="do" value="remove">${t('Remove')}</button></form>`,
  })
}

/** Returns the ids of the rules with one rule swapped with the previous (-1) or the next one (1). */
const moved = (ids: readonly string[], id: string, step: -1 | 1): string[] => {
  const at = ids.indexOf(id)
  const to = at + step
  if (at < 0 || to < 0 || to >= ids.length) return [...ids]
  return ids.with(at, ids[to] as string).with(to, id)
}

export const addRules = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_rules', (request) => list(request))
  admin.add('post', HERE, 'manage_rules', async (request, form) => {
    const problem = await attempt(() =>
      request.callApi(createRule, { text: textIn(form, 'text'), hint: textIn(form, 'hint') }),
    )
    return problem ? list(request, { form, problem }) : request.done(HERE, t('The rule was added.'))
  })
  admin.add('get', pathOf(':id'), 'manage_rules', (request) => show(request))
  admin.add('post', pathOf(':id'), 'manage_rules', async (request, form) => {
    const id = idIn(request.req.params.id)
    if (form.do === 'remove') {
      await request.callApi(removeRule, { id })
      return request.done(HERE, t('The rule was removed.'))
    }
    const translations = translationsIn(form)
    const problem = await attempt(() =>
      request.callApi(updateRule, { id, text: textIn(form, 'text'), hint: textIn(form, 'hint'), translations }),
    )
    return problem ? show(request, { form, problem }) : request.done(HERE, t('The rule was changed.'))
  })
  admin.add('post', `${pathOf(':id')}/move`, 'manage_rules', async (request, form) => {
    const id = idIn(request.req.params.id)
    if (form.do !== 'up' && form.do !== 'down') throw pageNotFound()
    const ids = (await request.callApi(listRules, {})).map((one) => one.id)
    const problem = await attempt(() => request.callApi(orderRules, { ids: moved(ids, id, form.do === 'up' ? -1 : 1) }))
    request.done(HERE, problem ?? t('The rule was moved.'))
  })
}
