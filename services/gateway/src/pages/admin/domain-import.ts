/** Import of domain blocks below `/admin` from a file or pasted text, with a dry run that counts affected accounts; and the export. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { exportDomainBlocks, type ImportedBlock, importDomainBlocks } from '@murmuration/contracts/admin'
import type { ResultOf } from '@murmuration/contracts/kit'
import { chunk } from '@murmuration/flow'
import { type Message, msg } from '@murmuration/messages'
import { ROWS_OF_REQUEST, readDomainList } from '@murmuration/text/domain-list'
import { decodeTable } from '@murmuration/text/table-text'
import { errorMessage } from '../core/error-message.js'
import { type Html, html } from '../core/html.js'
import { labelOf, t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { numberOf } from '../core/parts/time.js'
import { sendTable } from '../core/table.js'
import { countedTo } from './federation-hosts.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, table } from './table.js'

const BLOCKS = '/admin/domains'
const HERE = `${BLOCKS}/import`
const EXPORT = `${BLOCKS}/export.csv`
/** Maximum number of rows of one import. The command line imports longer lists. */
const MAX_ROWS = 5_000
const MAX_BYTES = 4 * 1_048_576
/** Maximum number of rows that a table on the page shows. */
const MAX_SHOWN = 300
/** Maximum count of accounts or follows of one domain. A count that reaches it is shown as `10,000+`. */
const MAX_TIES = 10_000
/** Maximum number of calls of the dry run that are sent at the same time. */
const TOGETHER = 4

interface List {
  columns: string[] | null
  rows: string[][]
  source: string
}

const SEVERITIES: Readonly<Record<string, Message>> = {
  silence: msg('Limit'),
  suspend: msg('Suspend'),
  noop: msg('No restriction of accounts'),
}
const severityOf = (severity: string): Html =>
  badge(labelOf(SEVERITIES, severity), severity === 'suspend' ? 'bad' : severity === 'silence' ? 'warn' : 'neutral')

/** The imported list as compressed base64url text. A hidden field of the form contains it between the dry run and the import. */
const compressed = (list: List): string => deflateRawSync(JSON.stringify(list)).toString('base64url')
const decompressed = (field: unknown): List => {
  try {
    const text = inflateRawSync(Buffer.from(String(field), 'base64url'), { maxOutputLength: 2 * MAX_BYTES })
    const { columns, rows, source } = JSON.parse(text.toString('utf8')) as List
    if (Array.isArray(rows) && rows.length <= MAX_ROWS) return { columns, rows, source: String(source).slice(0, 200) }
  } catch {
    // A field value that this server did not create gets 404 below.
  }
  throw pageNotFound()
}

const showForm = (request: StaffRequest, text = '', problem: string | null = null): void =>
  request.show({
    title: t('Import a list of servers'),
    above: html`<a href="${BLOCKS}">${t('Blocked servers')}</a>`,
    current: 'domains',
    problem,
    body: html`<form class="card edit" method="post" action="${HERE}" enctype="multipart/form-data">${request.csrfField}<label for="file">${t('File (CSV)')}</label><input id="file" type="file" name="file" accept=".csv,text/csv,text/plain"><label for="list">${t('Or paste the list')}</label><textarea id="list" name="list" rows="8" spellcheck="false">${text}</textarea><p class="muted small">${t('The columns of the export of Mastodon, or one domain in each line. At most {most} rows.', { most: numberOf(MAX_ROWS) })}</p><button type="submit">${t('Continue')}</button></form><p class="muted">${t('Nothing is changed until you confirm.')}</p>`,
  })

/** Dry run of all rows of the list, in pages. */
const dryRun = async ({ callApi }: StaffRequest, { columns, rows, source }: List): Promise<ImportedBlock[]> => {
  const results: ImportedBlock[] = []
  for (const pages of chunk(chunk(rows, ROWS_OF_REQUEST), TOGETHER)) {
    const found = await Promise.all(
      pages.map((page) => callApi(importDomainBlocks, { columns, rows: page, source, dry_run: true })),
    )
    results.push(...found.flatMap((one) => one.results))
  }
  return results
}

type TieName = 'accounts' | 'following' | 'followers'
const sumOf = (results: readonly ImportedBlock[], name: TieName): string => {
  const counts = results.map((one) => one.ties?.[name] ?? 0)
  const sum = numberOf(counts.reduce((all, one) => all + one, 0))
  return counts.some((one) => one >= MAX_TIES) ? `${sum}+` : sum
}

const more = (count: number): Html | '' =>
  count > MAX_SHOWN
    ? html`<p class="muted">${t('{count} more are not listed.', { count: numberOf(count - MAX_SHOWN) })}</p>`
    : ''

const summary = (blocked: readonly ImportedBlock[]): Html => {
  const suspended = blocked.filter((one) => one.severity === 'suspend')
  const tile = (label: string, value: string, note: string): Html =>
    html`<section class="card tile"><h2 class="label">${label}</h2><p class="value">${value}</p><p class="muted">${note}</p></section>`
  return html`<div class="tiles">${tile(
    t('Servers to block'),
    numberOf(blocked.length),
    t('{suspended} of them suspended', { suspended: numberOf(suspended.length) }),
  )}${tile(t('Accounts affected'), sumOf(blocked, 'accounts'), t('known accounts of these servers'))}${tile(
    t('Follows that end'),
    sumOf(suspended, 'following'),
    t('from here to suspended servers'),
  )}${tile(t('Followers lost'), sumOf(suspended, 'followers'), t('from suspended servers'))}</div>`
}

const tieOf = (one: ImportedBlock): number =>
  one.ties ? one.ties.accounts + one.ties.following + one.ties.followers : 0

const blockTable = (blocked: readonly ImportedBlock[]): Html =>
  html`${table(
    t('Servers to block'),
    [t('Domain'), t('Block'), t('Known accounts'), t('Followed from here'), t('Followers of accounts here')],
    blocked
      .toSorted((a, b) => tieOf(b) - tieOf(a))
      .slice(0, MAX_SHOWN)
      .map((one) => [
        html`<b>${one.domain}</b>`,
        severityOf(one.severity),
        ...(['accounts', 'following', 'followers'] as const).map((name) => countedTo(one.ties?.[name] ?? 0, MAX_TIES)),
      ]),
    t('The list would block no further server.'),
  )}${more(blocked.length)}`

/**
 * Whether the domain already has a block with another severity than in the list, or is covered by the block of a parent
 * domain.
 */
const isConflict = (one: ImportedBlock): boolean =>
  one.outcome === 'known' && (one.existing?.severity !== one.severity || one.existing.domain !== one.domain)

const leftOut = (results: readonly ImportedBlock[]): Html => {
  const conflicts = results.filter(isConflict)
  const invalid = results.filter((one) => one.outcome === 'invalid')
  const same = results.filter((one) => one.outcome === 'known').length - conflicts.length
  return html`${
    conflicts.length === 0
      ? ''
      : html`<h2>${t('Conflicts')}</h2><p class="muted">${t('These blocks stay as they are.')}</p>${table(
          t('Conflicts'),
          [t('Domain'), t('In the list'), t('Existing block')],
          conflicts
            .slice(0, MAX_SHOWN)
            .map((one) => [
              html`<b>${one.domain}</b>`,
              severityOf(one.severity),
              html`${severityOf(one.existing?.severity ?? '')} ${one.existing?.domain ?? ''}`,
            ]),
          '',
        )}${more(conflicts.length)}`
  }${
    invalid.length === 0
      ? ''
      : html`<h2>${t('Rows that cannot be imported')}</h2>${table(
          t('Rows that cannot be imported'),
          [t('Row'), t('Reason')],
          invalid
            .slice(0, MAX_SHOWN)
            .map((one) => [one.domain, errorMessage((one.reason ?? '').replace(/^Validation failed: /, ''))]),
          '',
        )}${more(invalid.length)}`
  }${same > 0 ? html`<p class="muted">${t('{count, plural, one {# server is} other {# servers are}} blocked already.', { count: same })}</p>` : ''}`
}

const preview = async (request: StaffRequest, list: List): Promise<void> => {
  const results = await dryRun(request, list)
  const blocked = results.filter((one) => one.outcome === 'blocked')
  request.show({
    title: t('Import a list of servers'),
    above: html`<a href="${HERE}">${t('Back without a change')}</a>`,
    current: 'domains',
    body: html`${summary(blocked)}${
      blocked.length === 0
        ? ''
        : html`<form class="card" method="post" action="${HERE}/confirm">${request.csrfField}<input type="hidden" name="packed" value="${compressed(list)}"><div class="preview" role="note"><p>${t('All follows between this server and suspended servers end, in both directions.')}</p></div><p class="acts"><button class="danger" type="submit">${t('Block {count, plural, one {# server} other {# servers}}', { count: blocked.length })}</button><a class="button quiet" href="${BLOCKS}">${t('Cancel')}</a></p></form>`
    }${leftOut(results)}<h2>${t('Servers to block')}</h2>${blockTable(blocked)}`,
  })
}

const take = async (request: StaffRequest, form: Fields, read: () => Promise<Buffer | null>): Promise<void> => {
  const pasted = String(form.list ?? '')
  const file = await read()
  const text = file ? decodeTable(file) : pasted
  if (text.trim() === '') return showForm(request, '', t('Choose a file or paste a list.'))
  let list: List
  try {
    list = { ...readDomainList(text, MAX_ROWS), source: file === null ? t('a pasted list') : t('a file') }
  } catch {
    const problem = t('The list cannot be read. It is no CSV, or it has too many rows.')
    return showForm(request, pasted, problem)
  }
  if (list.rows.length === 0) return showForm(request, pasted, t('The list is empty.'))
  await preview(request, list)
}

/** Imports the pages of the list one after the other. In the audit log, all pages form one bulk action. */
const importAll = async ({ callApi }: StaffRequest, { columns, rows, source }: List) => {
  let batch: string | null = null
  let count = 0
  for (const page of chunk(rows, ROWS_OF_REQUEST)) {
    const more: { batch_id?: string } = batch === null ? {} : { batch_id: batch }
    const part: ResultOf<(typeof importDomainBlocks)['output']> = await callApi(importDomainBlocks, {
      columns,
      rows: page,
      source,
      ...more,
    })
    batch ??= part.batch_id
    count += part.results.filter((one) => one.outcome === 'blocked').length
  }
  return { batch, count }
}

const confirm = async (request: StaffRequest, form: Fields): Promise<void> => {
  const list = decompressed(form.packed)
  let done: { batch: string | null; count: number } = { batch: null, count: 0 }
  const problem = await attempt(async () => {
    done = await importAll(request, list)
  })
  if (problem) return showForm(request, '', problem)
  request.show({
    title: t('The list was imported'),
    above: html`<a href="${BLOCKS}">${t('Blocked servers')}</a>`,
    current: 'domains',
    body: html`<section class="card"><p>${t('{count, plural, one {# server} other {# servers}} blocked.', { count: done.count })}</p>${
      done.batch !== null && request.may('view_audit_log')
        ? html`<p><a class="button quiet small" href="/admin/audit_log?batch_id=${done.batch}">${t('Show this import in the audit log')}</a></p>`
        : ''
    }</section>`,
  })
}

/** Links to the import and the export, for the page of domain blocks. */
export const importLinks = (): Html =>
  html`<p class="acts"><a class="button quiet" href="${HERE}">${t('Import a list…')}</a><a class="button quiet" href="${EXPORT}" download>${t('Export the list (CSV)')}</a></p>`

export const addDomainImport = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_federation', (request) => showForm(request))
  admin.addUpload(
    HERE,
    'manage_federation',
    { bytes: MAX_BYTES, refuse: (request, form, problem) => showForm(request, String(form.list ?? ''), problem) },
    take,
  )
  admin.add('post', `${HERE}/confirm`, 'manage_federation', confirm)
  admin.add('get', EXPORT, 'manage_federation', (request) =>
    sendTable(request, 'domain_blocks.csv', (after) =>
      request.callApi(exportDomainBlocks, after === undefined ? {} : { after }),
    ),
  )
}
