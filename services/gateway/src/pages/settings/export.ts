/** Settings page for exports: CSV tables and filters that other servers can import, and archives of the whole account. */
import { type ExportKind, exportCounts, exportOwner, exportPage } from '@murmuration/contracts/accounts'
import { type Archive, createArchive, listArchives, openArchive } from '@murmuration/contracts/federation'
import { Failure, isId } from '@murmuration/contracts/kit'
import { countFilters, markUris, takeFilters } from '@murmuration/contracts/statuses'
import { type Message, msg } from '@murmuration/messages'
import { sendBlob } from '../core/blob-response.js'
import { failureMessage } from '../core/error-message.js'
import { dotted, type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { dayOf, numberOf, timeOf } from '../core/parts/time.js'
import { orNull } from '../core/public-data.js'
import { panel, type Settings, type SettingsContext } from '../core/settings-frame.js'
import { describeDownload, sendTable, tableLink } from '../core/table.js'
import { sendFilters } from './filter-file.js'

const HERE = '/settings/export'

/** CSV exports: file name without suffix, and label. */
const TABLES: readonly [ExportKind, Message][] = [
  ['follows', msg('Accounts you follow')],
  ['lists', msg('People on your lists')],
  ['blocks', msg('Accounts you block')],
  ['mutes', msg('Accounts you mute')],
  ['domain_blocks', msg('Servers you block')],
]

const sizeOf = (bytes: number): string =>
  bytes < 1_048_576 ? `${numberOf(bytes / 1_024)} KB` : `${numberOf(bytes / 1_048_576)} MB`

const tables = (counts: Readonly<Record<ExportKind, number>>, filters: number | null): Html =>
  html`<ul class="rows">${TABLES.map(
    ([kind, label]) =>
      html`<li><div><b>${t(label)}</b><span class="muted small">${t('{count, plural, one {# row} other {# rows}}', { count: counts[kind] })}</span></div>${tableLink(`/settings/exports/${kind}.csv`)}</li>`,
  )}<li><div><b>${t('Bookmarks')}</b><span class="muted small">${t('Addresses of posts')}</span></div>${tableLink('/settings/exports/bookmarks.csv')}</li><li><div><b>${t('Filters')}</b>${filters === null ? '' : html`<span class="muted small">${t('{count, plural, one {# filter} other {# filters}}', { count: filters })}</span>`}</div>${tableLink('/settings/exports/custom_filters.json', 'JSON')}</li></ul>`

const archiveRow = (one: Archive): Html => {
  if (one.state === 'ready')
    return html`<li><div><b>${t('Requested on {date}', { date: timeOf(one.created_at) })}</b><span class="muted small">${dotted(sizeOf(one.size ?? 0), one.expires_at && t('available until {date}', { date: dayOf(one.expires_at) }))}</span></div><a class="button small" href="${HERE}/archive/${one.id}" download>${t('Download')}</a></li>`
  return html`<li><div><b>${t('Requested on {date}', { date: timeOf(one.created_at) })}</b><span class="muted small">${one.state === 'waiting' ? html`${t('Compiling your archive. You can leave this page.')}` : html`${t('The archive could not be compiled. Request another one.')}`}</span></div></li>`
}

const archivesPanel = (
  context: SettingsContext,
  made: { archives: readonly Archive[]; next_at: string | null } | null,
): Html =>
  panel(
    t('Request your archive'),
    html`<p>${t('Your profile, everything you wrote with its pictures, videos and sounds, and the addresses of what you bookmarked and favourited, in the form in which servers speak to each other (ActivityPub).')}</p>
${made?.archives.length ? html`<ul class="rows">${made.archives.map(archiveRow)}</ul>` : ''}
${
  made === null
    ? html`<p class="muted">${t('Archives are currently not available.')}</p>`
    : made.next_at === null
      ? html`<form method="post" action="${HERE}">${context.csrfField}<button type="submit">${t('Request archive')}</button></form>`
      : html`<p class="muted small">${t('You can request another one on {date}.', { date: dayOf(made.next_at) })}</p>`
}`,
  )

const show = async (context: SettingsContext, problem?: string): Promise<void> => {
  const { ctx, session } = context
  const { id: account } = await ctx.call(exportOwner, { session })
  const [{ counts }, made, kept] = await Promise.all([
    ctx.call(exportCounts, { session }),
    orNull(ctx.call(listArchives, { session })),
    orNull(ctx.call(countFilters, { account })),
  ])
  context.show({
    title: t('Import and export'),
    ...(problem ? { problem } : {}),
    body: html`${panel(
      t('Tables'),
      html`<p>${t('Other servers can import these files.')}</p>${tables(counts, kept?.filters ?? null)}`,
    )}${archivesPanel(context, made)}${panel(
      t('Import data'),
      html`<p>${t('{import}. Followers come along when you {move}.', { import: html`<a href="/settings/imports">${t('Import tables of another server')}</a>`, move: html`<a href="/settings/migration">${t('move')}</a>` })}</p>
<p>${t('Connections that a decision cut are listed under {link}.', { link: html`<a href="/severed_relationships">${t('lost connections')}</a>` })}</p>`,
    )}`,
  })
}

export const addExports = (settings: Settings): void => {
  settings.add('get', HERE, 'data', (context) => show(context))
  settings.add('post', HERE, 'data', async (context) => {
    try {
      await context.ctx.call(createArchive, { session: context.session })
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'unprocessable') throw error
      return show(context, failureMessage(error))
    }
    context.done(HERE, t('Your archive is being compiled. You will receive an e-mail when it is ready.'))
  })
  for (const [kind] of TABLES)
    settings.add(
      'get',
      `/settings/exports/${kind}.csv`,
      'data',
      (context) =>
        sendTable(context, `${kind}.csv`, (after) =>
          context.ctx.call(exportPage, { session: context.session, kind, ...(after === undefined ? {} : { after }) }),
        ),
      'upload',
    )
  settings.add(
    'get',
    '/settings/exports/bookmarks.csv',
    'data',
    async (context) => {
      const { id: account } = await context.ctx.call(exportOwner, { session: context.session })
      await sendTable(context, 'bookmarks.csv', async (after) => {
        const page = await context.ctx.call(markUris, {
          account,
          which: 'bookmarks',
          ...(after === undefined ? {} : { after }),
        })
        return { rows: page.uris.map((uri) => [uri]), next: page.next }
      })
    },
    'upload',
  )
  settings.add(
    'get',
    '/settings/exports/custom_filters.json',
    'data',
    async (context) => {
      const { id: account } = await context.ctx.call(exportOwner, { session: context.session })
      await sendFilters(context, 'custom_filters.json', async (after) => {
        const page = await context.ctx.call(takeFilters, { account, ...(after === undefined ? {} : { after }) })
        return { documents: page.filters.map((one) => JSON.stringify(one)), next: page.next }
      })
    },
    'upload',
  )
  settings.add('get', `${HERE}/archive/:id`, 'data', async ({ ctx, req, res, session }) => {
    const id = String(req.params.id ?? '')
    if (!isId(id)) throw pageNotFound()
    const { key, name } = await ctx.call(openArchive, { session, id })
    if (!(await sendBlob(ctx, req, res, key, () => describeDownload(ctx.site.https, res, name, 'application/zip'))))
      throw pageNotFound()
  })
}
