/** Settings pages for imports of tables and filters: upload, preview, confirmation, progress and failed rows. */

import {
  confirmImport,
  createImport,
  type Import,
  type ImportKind,
  importFailures,
  listImports,
  removeImport,
  showImport,
} from '@murmuration/contracts/accounts'
import { isId } from '@murmuration/contracts/kit'
import { limits } from '@murmuration/contracts/limits'
import { type Message, msg } from '@murmuration/messages'
import { attempt } from '../core/attempt.js'
import type { PostedFiles } from '../core/csrf.js'
import { errorMessage } from '../core/error-message.js'
import { type Html, html } from '../core/html.js'
import { labelOf, t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { numberOf, timeOf } from '../core/parts/time.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'
import { sendTable, tableLink } from '../core/table.js'
import { sendFilters } from './filter-file.js'

const HERE = '/settings/imports'

const LABEL: Readonly<Record<ImportKind, Message>> = {
  follows: msg('Accounts to follow'),
  lists: msg('People on lists'),
  blocks: msg('Accounts to block'),
  mutes: msg('Accounts to mute'),
  domain_blocks: msg('Servers to block'),
  bookmarks: msg('Bookmarks'),
  filters: msg('Filters'),
}
const KINDS = Object.keys(LABEL) as ImportKind[]
const isKind = (text: string): text is ImportKind => Object.hasOwn(LABEL, text)

const stateOf = (one: Import): Html => {
  const failed = one.processed - one.imported
  if (one.state === 'unconfirmed') return html`${t('waiting for confirmation')}`
  const counts = html`${t('{imported} of {total, plural, one {# row} other {# rows}} imported', { imported: one.imported, total: one.total })}${failed ? html`, <span class="bad">${t('{failed} failed', { failed })}</span>` : ''}`
  return one.state === 'finished'
    ? html`${t('done: {counts}', { counts })}`
    : html`${t('at work: {counts}', { counts })}`
}

const row = (one: Import): Html =>
  html`<li><div><b><a href="${HERE}/${one.id}">${labelOf(LABEL, one.kind)}</a></b><span class="muted small">${timeOf(one.created_at)} · ${one.overwrite ? html`${t('in place of what was there')}` : html`${t('added to what was there')}`} · ${stateOf(one)}</span></div></li>`

const choose = (context: SettingsContext, kind: ImportKind, overwrite: boolean): Html =>
  html`<form method="post" action="${HERE}" enctype="multipart/form-data">${context.csrfField}
<label for="kind">${t('Import type')}</label><select id="kind" name="kind">${KINDS.map(
    (one) => html`<option value="${one}"${one === kind ? html` selected` : ''}>${t(LABEL[one])}</option>`,
  )}</select>
<label for="file">${t('File (CSV, up to 20 MB and {rows} rows; filters: JSON, up to 4 MB and {filters} of them)', { rows: numberOf(limits.accounts.importRows), filters: numberOf(limits.accounts.filters) })}</label><input id="file" type="file" name="file" accept=".csv,text/csv,text/plain,.json,application/json" required>
<fieldset><legend>${t('How')}</legend>
<label class="choice"><input type="radio" name="mode" value="merge"${overwrite ? '' : html` checked`}> ${t('Merge: keep existing records and add new ones')}</label>
<label class="choice"><input type="radio" name="mode" value="overwrite"${overwrite ? html` checked` : ''}> ${t('Overwrite: replace current records with the new ones')}</label></fieldset>
<button type="submit">${t('Upload')}</button></form>
<p class="muted small">${t('Nothing is changed until you confirm the import.')}</p>`

const overview = async (
  context: SettingsContext,
  given: { kind: ImportKind; overwrite: boolean },
  problem?: string,
) => {
  const { imports } = await context.ctx.call(listImports, { session: context.session })
  context.show({
    title: t('Import'),
    ...(problem ? { problem } : {}),
    body: html`${panel(t('Import a file'), choose(context, given.kind, given.overwrite))}${
      imports.length ? panel(t('In the last week'), html`<ul class="rows">${imports.map(row)}</ul>`) : ''
    }`,
  })
}

const chosenIn = (form: PostedFiles['form']): { kind: ImportKind; overwrite: boolean } => {
  const kind = fieldOf(form, 'kind', 30)
  return { kind: isKind(kind) ? kind : 'follows', overwrite: fieldOf(form, 'mode', 30) === 'overwrite' }
}

const receiveFile = async (context: SettingsContext, { form, files }: PostedFiles): Promise<void> => {
  const given = chosenIn(form)
  const { file } = files
  let made: Import | undefined
  const problem =
    file === undefined || !isKind(fieldOf(form, 'kind', 30))
      ? t('Choose a file and an import type.')
      : await attempt(async () => {
          made = await context.ctx.call(createImport, { session: context.session, ...given, file })
        })
  if (problem !== null || made === undefined) {
    if (file) await context.ctx.staging.delete([file.key]).catch(() => undefined)
    return overview(context, given, problem ?? t('The file could not be read.'))
  }
  context.done(`${HERE}/${made.id}`, t('Your file was uploaded. Please review it before you confirm the import.'))
}

const idOf = ({ req }: SettingsContext): string => {
  const id = String(req.params.id ?? '')
  if (!isId(id)) throw pageNotFound()
  return id
}

const sampleOf = (rows: readonly (readonly string[])[]): Html =>
  html`<div class="scroll"><table>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</table></div>`

/** Warning for a file that looks like one of another kind, such as a list of follows that is imported as blocks. */
const kindWarning = ({ kind, likely_kind: likely }: Import): Html | '' =>
  likely
    ? html`<p><strong class="bad">${t('This file looks like “{likely}”, but the chosen import type is “{kind}”. Check it before you confirm.', { likely: labelOf(LABEL, likely), kind: labelOf(LABEL, kind) })}</strong></p>`
    : ''

const confirmForm = (context: SettingsContext, one: Import): Html =>
  html`${kindWarning(one)}${one.overwrite ? html`<p><strong class="bad">${t('Records that are not in this file are removed.')}</strong></p>` : ''}
<form method="post" action="${HERE}/${one.id}/confirm">${context.csrfField}<div class="row"><button type="submit">${one.overwrite ? t('Replace with {count, plural, one {# row} other {# rows}}', { count: one.total }) : t('Add {count, plural, one {# row} other {# rows}}', { count: one.total })}</button></div></form>
<form method="post" action="${HERE}/${one.id}/remove">${context.csrfField}<button class="quiet" type="submit">${t('Discard')}</button></form>`

const progress = (one: Import): Html =>
  html`<p><progress max="${one.total}" value="${one.processed}">${t('{processed} of {total}', { processed: one.processed, total: one.total })}</progress></p><p>${stateOf(one)}</p>
${one.state === 'running' ? html`<p class="muted small">${t('You can leave this page. Reload it to see the progress.')}</p>` : ''}
${one.processed > one.imported ? html`<p>${one.kind === 'filters' ? tableLink(`${HERE}/${one.id}/failures.json`, t('Filters that failed (JSON)')) : tableLink(`${HERE}/${one.id}/failures.csv`, t('Rows that failed (CSV)'))}</p>` : ''}`

const problemsOf = (problems: readonly { n: number; name: string; problem: string }[]): Html | '' =>
  problems.length === 0
    ? ''
    : panel(
        t('Errors in the failed rows'),
        html`<div class="scroll"><table>${problems.map(
          ({ n, name, problem }) => html`<tr><td>${n}</td><td>${name}</td><td>${errorMessage(problem)}</td></tr>`,
        )}</table></div>`,
      )

const show = async (context: SettingsContext): Promise<void> => {
  const {
    import: one,
    sample,
    problems,
  } = await context.ctx.call(showImport, { session: context.session, id: idOf(context) })
  context.show({
    title: labelOf(LABEL, one.kind),
    body: html`${panel(one.name || t('Table'), one.state === 'unconfirmed' ? confirmForm(context, one) : progress(one))}${problemsOf(problems)}${panel(
      t('First rows'),
      sampleOf(sample),
    )}<p><a href="${HERE}">${t('All imports')}</a></p>`,
  })
}

export const addImports = (settings: Settings): void => {
  settings.add('get', HERE, 'data', (context) => overview(context, { kind: 'follows', overwrite: false }))
  const refuse = (context: SettingsContext, form: PostedFiles['form'], problem: string) =>
    overview(context, chosenIn(form), problem)
  settings.addUpload(HERE, 'data', { files: ['file'], bytes: limits.accounts.importBytes, refuse }, receiveFile)
  settings.add('get', `${HERE}/:id`, 'data', show)
  settings.add('post', `${HERE}/:id/confirm`, 'data', async (context) => {
    const id = idOf(context)
    await context.ctx.call(confirmImport, { session: context.session, id })
    context.done(`${HERE}/${id}`, t('The import has started.'))
  })
  settings.add('post', `${HERE}/:id/remove`, 'data', async (context) => {
    await context.ctx.call(removeImport, { session: context.session, id: idOf(context) })
    context.done(HERE, t('The import was cancelled. Nothing was changed.'))
  })
  settings.add('get', `${HERE}/:id/failures.csv`, 'data', async (context) => {
    const id = idOf(context)
    await sendTable(context, 'failures.csv', (after) =>
      context.ctx.call(importFailures, { session: context.session, id, ...(after === undefined ? {} : { after }) }),
    )
  })
  settings.add('get', `${HERE}/:id/failures.json`, 'data', async (context) => {
    const id = idOf(context)
    const { import: one } = await context.ctx.call(showImport, { session: context.session, id })
    if (one.kind !== 'filters') throw pageNotFound()
    await sendFilters(context, 'failures.json', async (after) => {
      const more = after === undefined ? {} : { after }
      const { rows, next } = await context.ctx.call(importFailures, { session: context.session, id, ...more })
      return { documents: rows.map(([document = 'null']) => document), next }
    })
  })
}
