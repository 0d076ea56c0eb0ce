/** Form for a new post: text, content warning, pictures with descriptions, poll, visibility and language. */
import { randomUUID } from 'node:crypto'
import type { Status, Visibility } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { type Message, msg } from '@murmuration/messages'
import { languages } from '@murmuration/text'
import { checkbox, type Option, select } from '../core/choice.js'
import { type Html, html } from '../core/html.js'
import { labels, languageNames, languageNow, t } from '../core/language.js'
import { quoted } from '../core/parts/status.js'
import { fieldOf } from '../core/settings-frame.js'
import type { Fields } from './frame.js'

/** A picture of a refused form. The picture is already uploaded, so that it need not be chosen again. */
export interface KeptPicture {
  /** Id of the media attachment. */
  readonly id: string
  readonly description: string
}

export interface Draft {
  /** Values of the fields: of the refused form, or the initial values. */
  readonly form: Fields
  readonly kept?: readonly KeptPicture[]
  /** The post that the new post quotes. */
  readonly quotes?: Status | null
  readonly label?: string
}

const VISIBILITIES: readonly (readonly [Visibility, Message])[] = [
  ['public', msg('Anyone')],
  ['unlisted', msg('Quiet public (not in public timelines)')],
  ['private', msg('Followers only')],
  ['direct', msg('Mentioned people only')],
]

const DURATIONS: readonly (readonly [string, Message])[] = [
  ['300', msg('5 minutes')],
  ['3600', msg('1 hour')],
  ['21600', msg('6 hours')],
  ['86400', msg('1 day')],
  ['259200', msg('3 days')],
  ['604800', msg('1 week')],
]

const languageOptions = new Map<string, readonly Option[]>()

/** All languages with their names, sorted by the collation of the page's language. */
const languageOptionsNow = (): readonly Option[] => {
  const language = languageNow()
  const { compare } = new Intl.Collator(language)
  const made =
    languageOptions.get(language) ??
    [...languageNames(languages.map(({ code }) => code))].sort(([, a], [, b]) => compare(a, b))
  languageOptions.set(language, made)
  return made
}

/** The objects in a list or an index-keyed map of a form. */
export const membersOf = (value: unknown): Fields[] =>
  Object.values(typeof value === 'object' && value !== null ? value : {}).filter(
    (one): one is Fields => typeof one === 'object' && one !== null,
  )

const picture = (n: number, description: string): Html =>
  html`<div class="pick"><label for="media-${n}">${t('Picture {number}', { number: n + 1 })}</label><input id="media-${n}" type="file" name="media[${n}][file]" accept="image/*"><label for="alt-${n}">${t('Description of picture {number}', { number: n + 1 })}</label><input id="alt-${n}" type="text" name="media[${n}][description]" value="${description}" maxlength="1500"></div>`

const pictures = ({ form, kept = [] }: Draft): Html => {
  const free = Math.max(0, limits.statuses.maxMedia - kept.length)
  const descriptions = kept.length > 0 ? [] : membersOf(form.media).map((one) => fieldOf(one, 'description', 1_500))
  return html`<details${kept.length > 0 ? html` open` : ''}><summary>${t('Pictures')}</summary><p class="muted small">${t('Describe each picture for people who cannot see it.')}</p>${kept.map(
    ({ id, description }, n) =>
      html`<label class="choice"><input type="checkbox" name="kept[]" value="${id}" checked> ${t('Uploaded picture')} ${n + 1}${description ? html`: ${description}` : ''}</label>`,
  )}${Array.from({ length: free }, (_, n) => picture(n, descriptions[n] ?? ''))}${checkbox('sensitive', t('Mark pictures as sensitive'), fieldOf(form, 'sensitive') === '1')}</details>`
}

const poll = ({ form }: Draft): Html => {
  const given = membersOf({ poll: form.poll })[0] ?? {}
  const options = [given.options ?? []].flat().map((one) => (typeof one === 'string' ? one : ''))
  return html`<details${options.some(Boolean) ? html` open` : ''}><summary>${t('Poll')}</summary>${Array.from(
    { length: limits.polls.maxOptions },
    (_, n) =>
      html`<label for="option-${n}">${t('Choice {number}', { number: n + 1 })}</label><input id="option-${n}" type="text" name="poll[options][]" value="${options[n] ?? ''}" maxlength="${limits.polls.maxOptionCharacters}">`,
  )}${select('poll[expires_in]', t('Duration'), labels(DURATIONS), fieldOf(given, 'expires_in', 20) || '86400')}${checkbox('poll[multiple]', t('Allow multiple choices'), fieldOf(given, 'multiple') === '1')}</details>`
}

const warning = ({ form }: Draft): Html => {
  const text = fieldOf(form, 'spoiler_text', 5_000)
  return html`<details${text ? html` open` : ''}><summary>${t('Content warning')}</summary><label for="spoiler_text">${t('Shown in place of the post until it is opened')}</label><input id="spoiler_text" type="text" name="spoiler_text" value="${text}" maxlength="${limits.statuses.maxCharacters}"></details>`
}

const hidden = (form: Fields, name: string): Html | '' => {
  const value = fieldOf(form, name, 40)
  return value === '' ? '' : html`<input type="hidden" name="${name}" value="${value}">`
}

/** Renders the form for a new post, filled with the fields of the draft. */
export const composeForm = (draft: Draft, { csrfField, domain }: { csrfField: Html; domain: string }): Html => {
  const { form, quotes, label = t('What is on your mind?') } = draft
  return html`<form class="card compose" id="compose" method="post" action="/home/statuses" enctype="multipart/form-data">${csrfField}<input type="hidden" name="key" value="${fieldOf(form, 'key', 40) || randomUUID()}">${hidden(form, 'in_reply_to_id')}${hidden(form, 'quoted_status_id')}
<label for="status">${label}</label><textarea id="status" name="status" rows="4" data-most="${limits.statuses.maxCharacters}" aria-describedby="room">${fieldOf(form, 'status', 20_000)}</textarea>
<p class="muted small" id="room"><span data-left>${limits.statuses.maxCharacters - [...fieldOf(form, 'status', 20_000)].length}</span> ${t('characters left')}</p>${
    quotes ? quoted({ ...quotes, quote: { state: 'accepted', quoted_status: quotes } }, domain) : ''
  }
<div class="extras">${warning(draft)}${pictures(draft)}${poll(draft)}</div>
<div class="send"><div>${select('visibility', t('Who can see it'), labels(VISIBILITIES), fieldOf(form, 'visibility', 20))}</div><div>${select('language', t('Language'), languageOptionsNow(), fieldOf(form, 'language', 40))}</div><button type="submit">${form.in_reply_to_id ? html`${t('Reply')}` : html`${t('Post')}`}</button></div></form>`
}
