/** Domain blocks and allowed domains below `/admin`: add, change, and remove after a confirmation. */
import {
  createDomainAllow,
  createDomainBlock,
  listDomainAllows,
  listDomainBlocks,
  removeDomainAllow,
  removeDomainBlock,
  showDomainAllow,
  showDomainBlock,
  updateDomainBlock,
} from '@murmuration/contracts/admin'
import type { AdminDomainBlock } from '@murmuration/contracts/entities'
import { msg } from '@murmuration/messages'
import { withValue } from '../core/choice.js'
import { type Html, html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { labels, t } from '../core/language.js'
import { agoOf } from '../core/parts/time.js'
import { bulkBar, bulkBox } from './bulk-bar.js'
import { importLinks } from './domain-import.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, check, field, filtersIn, nextPage, select, table, tabs } from './table.js'

const BLOCKS = '/admin/domains'
const ALLOWS = '/admin/allowed_domains'
const ROWS = 100
const TABS = [
  [BLOCKS, msg('Blocked servers')],
  [ALLOWS, msg('Allowed servers')],
] as const

const SEVERITIES = [
  ['silence', msg('Limit')],
  ['suspend', msg('Suspend')],
  ['noop', msg('No restriction of accounts')],
] as const

const severityBadge = ({ severity }: AdminDomainBlock): Html =>
  severity === 'suspend'
    ? badge(t('Suspended'), 'bad')
    : severity === 'silence'
      ? badge(t('Limited'), 'warn')
      : badge(new Map<string, string>(labels(SEVERITIES)).get(severity) ?? severity)

const measuresOf = (one: AdminDomainBlock): Html =>
  html`<span class="states">${severityBadge(one)}${one.reject_media ? badge(t('No media')) : ''}${one.reject_reports ? badge(t('No reports')) : ''}${one.obfuscate ? badge(t('Name hidden')) : ''}</span>`

/** Fields of the forms for a new block and for a change. */
const blockFields = (of: Partial<AdminDomainBlock>): Html =>
  html`${select({ name: 'severity', label: t('Severity'), value: of.severity ?? 'silence' }, withValue(labels(SEVERITIES), of.severity ?? ''))}<p class="muted small">${t('Limit: accounts there are shown to their followers only. Suspend: nothing of the server is shown or accepted, and all follows end.')}</p>${check('reject_media', t('Do not store media from there'), of.reject_media ?? false)}${check('reject_reports', t('Ignore reports from there'), of.reject_reports ?? false)}${check('obfuscate', t('Hide a part of the name in the public list'), of.obfuscate ?? false)}${field({ name: 'public_comment', label: t('Public comment'), value: of.public_comment ?? '' })}${field({ name: 'private_comment', label: t('Comment for staff'), value: of.private_comment ?? '' })}`

const blockIn = (form: Fields) => ({
  severity: String(form.severity ?? 'silence'),
  reject_media: form.reject_media === '1',
  reject_reports: form.reject_reports === '1',
  obfuscate: form.obfuscate === '1',
  public_comment: String(form.public_comment ?? ''),
  private_comment: String(form.private_comment ?? ''),
})

const cursorIn = ({ req }: StaffRequest): { max_id?: string } => {
  const max_id = idOrNull(filtersIn(req.query, ['max_id']).max_id)
  return max_id === null ? {} : { max_id }
}

const showBlocks = async (request: StaffRequest, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const { items, older } = await request.callApi.page(listDomainBlocks, { ...cursorIn(request), limit: ROWS })
  // The page of a remote server links to this form with the parameter `domain`.
  const domain = String(form.domain ?? filtersIn(request.req.query, ['domain']).domain ?? '')
  request.show({
    title: t('Domains'),
    current: 'domains',
    problem,
    body: html`${tabs(t('Domains'), labels(TABS), BLOCKS)}${importLinks()}<details class="card"${problem || domain ? html` open` : ''}><summary>${t('Block a server')}</summary><form class="edit" method="post" action="${BLOCKS}">${request.csrfField}${field({ name: 'domain', label: t('Domain'), value: domain, required: true })}${blockFields(problem ? (blockIn(form) as Partial<AdminDomainBlock>) : {})}<button type="submit">${t('Block')}</button></form></details>${table(
      t('Blocked servers'),
      [t('Select'), t('Domain'), t('Measures'), t('Comments'), t('Created'), ''],
      items.map((one) => [
        bulkBox(one.id, one.domain),
        html`<a href="${BLOCKS}/${one.id}"><b class="long">${one.domain}</b></a>`,
        measuresOf(one),
        html`${one.public_comment ? html`<p class="long">${one.public_comment}</p>` : ''}${one.private_comment ? html`<p class="muted long">${one.private_comment}</p>` : ''}`,
        agoOf(one.created_at, request.now),
        html`<div class="row"><a class="button quiet" href="${BLOCKS}/${one.id}">${t('Edit')}</a><a class="button danger" href="${BLOCKS}/${one.id}/remove">${t('Remove')}</a></div>`,
      ]),
      t('No server is blocked.'),
    )}${bulkBar({
      csrfField: request.csrfField,
      noun: 'domain_block',
      actions: [['remove', t('Remove')]],
      ids: items.map(({ id }) => id),
      query: null,
      back: BLOCKS,
    })}${items.length >= ROWS ? nextPage(BLOCKS, {}, { max_id: older }) : ''}`,
  })
}

const showBlock = async (request: StaffRequest, problem: string | null = null): Promise<void> => {
  const one = await request.callApi(showDomainBlock, { id: idIn(request.req.params.id) })
  request.show({
    title: one.domain,
    above: html`<a href="${BLOCKS}">${t('Blocked servers')}</a>`,
    current: 'domains',
    problem,
    body: html`<section class="card"><form class="edit" method="post" action="${BLOCKS}/${one.id}">${request.csrfField}${blockFields(one)}<button type="submit">${t('Save')}</button></form></section><p><a class="button danger small" href="${BLOCKS}/${one.id}/remove">${t('Remove the block')}</a></p>`,
  })
}

const showAllows = async (request: StaffRequest, problem: string | null = null): Promise<void> => {
  const { items, older } = await request.callApi.page(listDomainAllows, { ...cursorIn(request), limit: ROWS })
  request.show({
    title: t('Domains'),
    current: 'domains',
    problem,
    body: html`${tabs(t('Domains'), labels(TABS), ALLOWS)}<p class="muted">${t('This list counts only while the server federates with allowed servers alone.')}</p><form class="card inline" method="post" action="${ALLOWS}">${request.csrfField}<label class="visually-hidden" for="domain">${t('Domain')}</label><input id="domain" type="text" name="domain" placeholder="${t('server.example')}" maxlength="255" required><button class="small" type="submit">${t('Allow')}</button></form>${table(
      t('Allowed servers'),
      [t('Domain'), t('Created'), ''],
      items.map((one) => [
        html`<b class="long">${one.domain}</b>`,
        agoOf(one.created_at, request.now),
        html`<a class="button danger" href="${ALLOWS}/${one.id}/remove">${t('Remove')}</a>`,
      ]),
      t('No server is allowed by name.'),
    )}${items.length >= ROWS ? nextPage(ALLOWS, {}, { max_id: older }) : ''}`,
  })
}

/** Confirmation page for removing a block or an allowed domain. */
const confirm = (request: StaffRequest, domain: string, path: string, back: string, text: string): void =>
  request.show({
    title: domain,
    above: html`<a href="${back}">${t('Back without a change')}</a>`,
    current: 'domains',
    body: html`<section class="card"><div class="preview" role="note"><p><b>${text}</b></p></div><form method="post" action="${path}">${request.csrfField}<p class="acts"><button class="danger" type="submit">${t('Remove')}</button><a class="button quiet" href="${back}">${t('Cancel')}</a></p></form></section>`,
  })

const addBlocks = (admin: Admin): void => {
  admin.add('get', BLOCKS, 'manage_federation', (request) => showBlocks(request))
  admin.add('post', BLOCKS, 'manage_federation', async (request, form) => {
    const domain = String(form.domain ?? '')
    const problem = await attempt(() => request.callApi(createDomainBlock, { domain, ...blockIn(form) }))
    return problem ? showBlocks(request, form, problem) : request.done(BLOCKS, t('The server is blocked.'))
  })
  admin.add('get', `${BLOCKS}/:id`, 'manage_federation', (request) => showBlock(request))
  admin.add('post', `${BLOCKS}/:id`, 'manage_federation', async (request, form) => {
    const id = idIn(request.req.params.id)
    const problem = await attempt(() => request.callApi(updateDomainBlock, { id, ...blockIn(form) }))
    return problem ? showBlock(request, problem) : request.done(BLOCKS, t('The block was changed.'))
  })
  admin.add('get', `${BLOCKS}/:id/remove`, 'manage_federation', async (request) => {
    const id = idIn(request.req.params.id)
    const { domain } = await request.callApi(showDomainBlock, { id })
    const text = t('Accounts of {domain} are shown again, and the server can send again.', { domain })
    confirm(request, domain, `${BLOCKS}/${id}/remove`, BLOCKS, text)
  })
  admin.add('post', `${BLOCKS}/:id/remove`, 'manage_federation', async ({ callApi, req, done }) => {
    const id = idIn(req.params.id)
    const problem = await attempt(() => callApi(removeDomainBlock, { id }))
    done(BLOCKS, problem ?? t('The block was removed.'))
  })
}

const addAllows = (admin: Admin): void => {
  admin.add('get', ALLOWS, 'manage_federation', (request) => showAllows(request))
  admin.add('post', ALLOWS, 'manage_federation', async (request, form) => {
    const problem = await attempt(() => request.callApi(createDomainAllow, { domain: String(form.domain ?? '') }))
    return problem ? showAllows(request, problem) : request.done(ALLOWS, t('The server is allowed.'))
  })
  admin.add('get', `${ALLOWS}/:id/remove`, 'manage_federation', async (request) => {
    const id = idIn(request.req.params.id)
    const { domain } = await request.callApi(showDomainAllow, { id })
    const text = t(
      'While only allowed servers federate, accounts of {domain} are suspended and their posts deleted after a day.',
      { domain },
    )
    confirm(request, domain, `${ALLOWS}/${id}/remove`, ALLOWS, text)
  })
  admin.add('post', `${ALLOWS}/:id/remove`, 'manage_federation', async ({ callApi, req, done }) => {
    const id = idIn(req.params.id)
    const problem = await attempt(() => callApi(removeDomainAllow, { id }))
    done(ALLOWS, problem ?? t('The server is no longer allowed.'))
  })
}

export const addDomains = (admin: Admin): void => {
  addBlocks(admin)
  addAllows(admin)
}
