/** Preview of an action on an account: its consequences in numbers, and the e-mail that the account holder receives. */
import type { ActionPreview } from '@murmuration/contracts/admin'
import type { AdminWarningPreset } from '@murmuration/contracts/entities'
import { Failure } from '@murmuration/contracts/kit'
import { excerpt } from '@murmuration/text'
import { type Html, html } from '../core/html.js'
import { languageNow, t } from '../core/language.js'
import { numberOf } from '../core/parts/time.js'
import { attempt } from './frame.js'
import { definitionList, emailOf } from './table.js'

interface PreviewResult {
  preview: ActionPreview | null
  problem: string | null
}

/**
 * The preview of an action, or the reason why the action would be refused. Both are null while the service that writes
 * e-mails is unavailable.
 */
export const previewAction = async (load: () => Promise<ActionPreview>): Promise<PreviewResult> => {
  const found: PreviewResult = { preview: null, problem: null }
  try {
    found.problem = await attempt(async () => {
      found.preview = await load()
    })
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unavailable') throw error
  }
  return found
}

const numbers = (preview: ActionPreview): Html => {
  const lines = [
    preview.followers_lost > 0 &&
      html`<li>${t('{count, plural, one {# follower} other {# followers}} lost', { count: preview.followers_lost })}</li>`,
    preview.follows_lost > 0 &&
      html`<li>${t('Follows that end: {number}', { number: numberOf(preview.follows_lost) })}</li>`,
    preview.posts_hidden > 0 &&
      html`<li>${t('{count, plural, one {# post} other {# posts}} no longer visible', { count: preview.posts_hidden })}</li>`,
    preview.type === 'mark_statuses_as_sensitive' &&
      html`<li>${t('{count, plural, one {# post} other {# posts}} with hidden media', { count: preview.status_ids.length })}</li>`,
    preview.deleted_after_days !== null &&
      html`<li>${t('{count, plural, one {All data are deleted after # day.} other {All data are deleted after # days.}}', { count: preview.deleted_after_days })}</li>`,
    preview.reports_resolved > 0 &&
      html`<li>${t('{count, plural, one {# report} other {# reports}} resolved', { count: preview.reports_resolved })}</li>`,
    html`<li>${t('Previous decisions: {strikes}', { strikes: numberOf(preview.strikes) })}</li>`,
    html`<li>${preview.reversible ? t('You can undo this in the audit log.') : t('This cannot be undone.')}</li>`,
    preview.reversible &&
      preview.reports_resolved > 0 &&
      html`<li>${t('The undo opens the reports again. They stay resolved if you only end the restriction later.')}</li>`,
  ].filter((line) => line !== false)
  return html`<ul>${lines}</ul>`
}

const languageName = (code: string): string =>
  new Intl.DisplayNames([languageNow()], { type: 'language' }).of(code) ?? code

const mailCard = (preview: ActionPreview, isSent: boolean): Html => {
  const { email } = preview
  if (email === null)
    return html`<section class="card"><h2>${t('E-mail')}</h2><p class="muted">${t('The account gets no e-mail, because it is on another server.')}</p></section>`
  return html`<section class="card"><h2>${isSent ? t('E-mail that will be sent') : t('E-mail that is not sent')}</h2>${definitionList(
    [
      [t('To'), emailOf(email.to)],
      [t('Subject line'), html`<b>${email.subject}</b>`],
      [t('Language'), languageName(email.language)],
    ],
  )}<pre class="data mail" lang="${email.language}">${email.text}</pre><p class="muted small">${t('The link gets its signature when the e-mail is sent.')}</p></section>`
}

/**
 * Cards with the preview of an action on an account.
 * @param sentence the consequence in one sentence
 * @param isSent true if the e-mail will be sent
 */
export const consequenceCards = (
  preview: ActionPreview | null,
  sentence: string,
  isSent: boolean,
): { numbers: Html; mail: Html | '' } => ({
  numbers: html`<div class="preview" role="note"><p><b>${sentence}</b></p>${
    preview ? numbers(preview) : html`<p>${t('The numbers and the e-mail cannot be shown now.')}</p>`
  }</div>`,
  mail: preview ? mailCard(preview, isSent) : '',
})

/** Select list of warning presets; empty without presets. In the e-mail, the preset precedes the text of staff. */
export const presetChoice = (presets: readonly AdminWarningPreset[], chosen: string): Html | '' =>
  presets.length === 0
    ? ''
    : html`<label for="warning_preset_id">${t('Preset')}</label><select id="warning_preset_id" name="warning_preset_id"><option value="">${t('No preset')}</option>${presets.map(
        ({ id, title, text }) =>
          html`<option value="${id}"${id === chosen ? html` selected` : ''}>${title ? `${title}: ` : ''}${excerpt(text, 120)}</option>`,
      )}</select>`

interface TextForm {
  readonly presets: readonly AdminWarningPreset[]
  readonly isLocal: boolean
  readonly preset: string
  readonly text: string
  readonly mail: boolean
}

/** Fields for the text of an action: preset, text, and for local accounts whether an e-mail is sent. */
export const textFields = ({ presets, isLocal, preset, text, mail }: TextForm): Html =>
  html`${presetChoice(presets, preset)}<label for="text">${t('Text')}</label><textarea id="text" name="text" rows="4" maxlength="2000" aria-describedby="text-hint">
${text}</textarea><p id="text-hint" class="muted small">${
    isLocal ? t('The account holder reads this text, and it stays in the record.') : t('Only staff reads this text.')
  }</p>${
    isLocal
      ? html`<label class="choice"><input type="checkbox" name="mail" value="1"${mail ? html` checked` : ''}> ${t('Notify the account holder by e-mail')}</label>`
      : ''
  }`
