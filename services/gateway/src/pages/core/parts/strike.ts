/** A strike as its account holder sees it: decision, reason, and the appeal or a form for it. */
import type { StrikeForHolder } from '@murmuration/contracts/admin'
import type { WarningAction } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { type Message, msg } from '@murmuration/messages'
import { type Html, html } from '../html.js'
import { labelOf, t } from '../language.js'
import { dayOf } from './time.js'

/** Label and consequence of each decision of staff. */
export const DECISIONS: Readonly<Record<WarningAction, { readonly label: Message; readonly meaning: Message }>> = {
  none: { label: msg('Warning'), meaning: msg('Your account was not changed.') },
  disable: {
    label: msg('Sign-in disabled'),
    meaning: msg('You cannot sign in or use apps. Your profile and posts stay visible.'),
  },
  mark_statuses_as_sensitive: {
    label: msg('Posts marked as sensitive'),
    meaning: msg('Media in these posts is hidden at first.'),
  },
  delete_statuses: { label: msg('Posts deleted'), meaning: msg('These posts were deleted and cannot be restored.') },
  sensitive: {
    label: msg('Media marked as sensitive'),
    meaning: msg('Media in all of your posts is hidden at first.'),
  },
  silence: { label: msg('Account limited'), meaning: msg('Only people who already follow you see your posts.') },
  suspend: {
    label: msg('Account suspended'),
    meaning: msg('Your profile and posts are hidden. Your data is deleted 30 days after the suspension.'),
  },
}

const STATES = {
  pending: msg('Your appeal is waiting for a decision.'),
  approved: msg('Your appeal was approved. This decision no longer stands.'),
  rejected: msg('Your appeal was rejected. This decision stands.'),
} as const

const appealOf = ({ warning, appeal_until }: StrikeForHolder, form: Html | null): Html | '' => {
  const { appeal } = warning
  if (appeal !== null)
    return html`<h3>${t('Your appeal')}</h3><p class="quote">${appeal.text}</p><p role="status"><b>${labelOf(STATES, appeal.state)}</b></p>`
  if (appeal_until === null) return html`<p class="muted small">${t('An appeal is no longer possible.')}</p>`
  return html`<h3>${t('Appeal')}</h3><p>${t('If you think that this decision is wrong, tell the moderators why. You can appeal once, until {date}.', { date: dayOf(appeal_until) })}</p>${form}`
}

const postsOf = ({ warning }: StrikeForHolder): Html | '' => {
  const ids = warning.status_ids ?? []
  if (ids.length === 0) return ''
  const { username } = warning.target_account
  return warning.action === 'delete_statuses'
    ? html`<p>${t('Number of posts: {number}', { number: ids.length })}</p>`
    : html`<p>${t('Posts that this is about:')}</p><ul>${ids.map((id) => html`<li><a href="/@${username}/${id}">${id}</a></li>`)}</ul>`
}

/**
 * Renders the card of one strike for its account holder.
 * @param form shown while an appeal is possible
 */
export const strikeCard = (strike: StrikeForHolder, form: Html | null): Html => {
  const { warning, overruled_at } = strike
  const { label, meaning } = DECISIONS[warning.action] ?? { label: null, meaning: null }
  return html`<section class="card" id="strike-${warning.id}"><h2>${label === null ? warning.action : t(label)}</h2><p class="muted small">${dayOf(warning.created_at)}${
    overruled_at === null ? '' : html` · <b>${t('Overruled')}</b>`
  }</p>${meaning === null ? '' : html`<p>${t(meaning)}</p>`}${
    warning.text === '' ? '' : html`<h3>${t('Reason')}</h3><p class="quote">${warning.text}</p>`
  }${postsOf(strike)}${appealOf(strike, form)}</section>`
}

/**
 * Renders the form for an appeal against a strike.
 * @param hidden hidden fields, including the CSRF token
 */
export const appealForm = (action: string, id: string, hidden: Html, text = ''): Html =>
  html`<form method="post" action="${action}">${hidden}<label for="appeal-${id}">${t('Your reasons')}</label><textarea id="appeal-${id}" name="text" rows="5" maxlength="${limits.accounts.appealCharacters}" required>
${text}</textarea><button type="submit">${t('Send the appeal')}</button></form>`
