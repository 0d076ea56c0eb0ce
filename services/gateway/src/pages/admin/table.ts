/** Shared parts of the pages below `/admin`: tables, badges, tabs, and account cells. */
import type { AdminAccount } from '@murmuration/contracts/entities'
import { isId } from '@murmuration/contracts/kit'
import type { Message } from '@murmuration/messages'
import { type Html, type HtmlValue, html } from '../core/html.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { nameOf, plainText } from '../core/rich-text.js'

export type Tone = 'ok' | 'warn' | 'bad' | 'neutral'

export const badge = (text: string, tone: Tone = 'neutral'): Html => html`<span class="badge ${tone}">${text}</span>`

/** Badge for a state, with the label and tone that the table has for it; the name of the state if the table lacks it. */
export const badgeOf = (
  states: Readonly<Record<string, readonly [label: Message, tone: Tone]>>,
  state: string,
): Html => {
  const [label, tone] = Object.hasOwn(states, state) ? (states[state] ?? []) : []
  return label === undefined ? badge(state) : badge(t(label), tone)
}

/**
 * Renders a table. On narrow screens each row is a card, and each cell has its column as label.
 * @param caption for screen readers only
 * @param empty shown instead of a table without rows
 */
export const table = (
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
  empty: string,
): Html =>
  rows.length === 0
    ? html`<p class="card nothing">${empty}</p>`
    : html`<div class="grid"><table class="list"><caption class="visually-hidden">${caption}</caption><thead><tr>${columns.map(
        (one) =>
          html`<th scope="col">${one === '' ? html`<span class="visually-hidden">${t('Actions')}</span>` : one}</th>`,
      )}</tr></thead><tbody>${rows.map(
        (cells) =>
          html`<tr>${cells.map((cell, at) => html`<td data-label="${columns[at] ?? ''}"><div>${cell}</div></td>`)}</tr>`,
      )}</tbody></table></div>`

/** Link to the next page of a list, with the filters `query` and the cursor `next`; empty without a next page. */
export const nextPage = (
  path: string,
  query: Readonly<Record<string, string>>,
  next: Readonly<Record<string, string | null>>,
): Html | '' => {
  const given = Object.entries(next).filter((one): one is [string, string] => one[1] !== null)
  if (given.length === 0) return ''
  const address = `${path}?${new URLSearchParams({ ...query, ...Object.fromEntries(given) })}`
  return html`<p class="next"><a class="button quiet small" rel="next" href="${address}">${t('Next page')}</a></p>`
}

/** Tabs of a page: links, of which the current one is marked. */
export const tabs = (
  label: string,
  links: readonly (readonly [path: string, label: string])[],
  current: string,
): Html =>
  html`<nav class="tabs" aria-label="${label}">${links.map(
    ([path, text]) => html`<a href="${path}"${path === current ? html` aria-current="page"` : ''}>${text}</a>`,
  )}</nav>`

/** An e-mail address as HTML in which a line can break before the domain; null without an address. */
export const emailOf = (address: string | null | undefined): Html | null => {
  if (!address) return null
  const at = address.lastIndexOf('@')
  return at < 1 ? html`${address}` : html`${address.slice(0, at)}<wbr>${address.slice(at)}`
}

/** List of names with their values. Names without a value are left out. */
export const definitionList = (pairs: readonly (readonly [string, HtmlValue])[]): Html =>
  html`<dl class="details">${pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** Maximum number of characters of the longest option of a select with the width of one column: on large screens, and on small ones. */
const [LONG_OPTION, SHORT_OPTION] = [18, 12]

/**
 * CSS class for the width of a select among filters, by the length of its longest option: two columns, a whole row on
 * small screens, or one column.
 */
const widthClass = (options: readonly (readonly [string, string])[]): Html | '' => {
  const longest = Math.max(0, ...options.map(([, text]) => text.length))
  if (longest > LONG_OPTION) return html` class="two-columns"`
  return longest > SHORT_OPTION ? html` class="one-row"` : ''
}

export const select = (
  { name, label, value }: { name: string; label: string; value: string },
  options: readonly (readonly [string, string])[],
): Html =>
  html`<div${widthClass(options)}><label for="${name}">${label}</label><select id="${name}" name="${name}">${options.map(
    ([key, text]) => html`<option value="${key}"${key === value ? html` selected` : ''}>${text}</option>`,
  )}</select></div>`

export const field = ({
  name,
  label,
  value = '',
  type = 'text',
  required = false,
}: {
  name: string
  label: string
  value?: string
  type?: string
  required?: boolean
}): Html =>
  html`<div><label for="${name}">${label}</label><input id="${name}" type="${type}" name="${name}" value="${value}" maxlength="2000" autocapitalize="none" spellcheck="false"${required ? html` required` : ''}></div>`

export const check = (name: string, label: string, on: boolean): Html =>
  html`<label class="choice"><input type="checkbox" name="${name}" value="1"${on ? html` checked` : ''}> ${label}</label>`

/** Badges for the states of an account, the most severe first. */
export const stateBadges = (one: AdminAccount): Html => {
  const states = [
    one.suspended && badge(t('Suspended'), 'bad'),
    one.account.memorial === true && badge(t('In memoriam')),
    one.disabled && badge(t('Sign-in disabled'), 'bad'),
    one.silenced && badge(t('Limited'), 'warn'),
    one.sensitized && badge(t('Media hidden'), 'warn'),
    one.approved === false && badge(t('Pending'), 'warn'),
    one.domain === null && !one.confirmed && badge(t('E-mail not confirmed')),
  ].filter((state) => state !== false)
  return html`<span class="states">${states.length > 0 ? states : badge(t('Active'), 'ok')}</span>`
}

/** Path of the page of one account. */
export const adminAccountPath = (id: string): string => `/admin/accounts/${id}`

export const handleOf = (one: AdminAccount): string => `@${one.username}${one.domain === null ? '' : `@${one.domain}`}`

/** Table cell with an account; a link to its page if `isLinked`. */
export const accountCell = (one: AdminAccount, isLinked: boolean): Html => {
  const shown = html`<img class="avatar small" src="${one.account.avatar_static}" alt="" width="32" height="32" loading="lazy"><span><b>${plainText(nameOf(one.account), one.account.emojis)}</b><span class="muted">${handleOf(one)}</span></span>`
  return isLinked
    ? html`<a class="who" href="${adminAccountPath(one.id)}">${shown}</a>`
    : html`<span class="who">${shown}</span>`
}

/** Reads the ids in a form field. Throws `not_found` for an invalid id, and for more than `max` ids. */
export const idsIn = (given: unknown, max: number): string[] => {
  const ids = [given ?? []].flat()
  if (ids.length > max || !ids.every((one): one is string => typeof one === 'string' && isId(one))) throw pageNotFound()
  return ids
}

/** The named text parameters of a query, trimmed and cut to 500 characters. Empty parameters are omitted. */
export const filtersIn = (query: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name]
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim().slice(0, 500)]] : []
    }),
  )
