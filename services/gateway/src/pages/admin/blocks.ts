/** Sign-up blocks below `/admin`: list, add and remove blocks of IP addresses, e-mail domains, e-mail addresses and usernames. */
import {
  createCanonicalEmailBlock,
  createEmailDomainBlock,
  createIpBlock,
  createUsernameBlock,
  listCanonicalEmailBlocks,
  listEmailDomainBlocks,
  listIpBlocks,
  listUsernameBlocks,
  removeCanonicalEmailBlock,
  removeEmailDomainBlock,
  removeIpBlock,
  removeUsernameBlock,
} from '@murmuration/contracts/admin'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { type Message, msg } from '@murmuration/messages'
import { type Html, type HtmlValue, html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { labels, t } from '../core/language.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import { isOn, problemOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { badge, check, field, filtersIn, nextPage, select, table, tabs } from './table.js'

const HERE = '/admin/blocks'
const ROWS = 100
const TABS = [
  [HERE, msg('IP addresses')],
  [`${HERE}/email_domains`, msg('E-mail domains')],
  [`${HERE}/emails`, msg('E-mail addresses')],
  [`${HERE}/usernames`, msg('User names')],
] as const

const SEVERITIES = [
  ['sign_up_requires_approval', msg('Sign-ups need approval')],
  ['sign_up_block', msg('No sign-ups')],
  ['no_access', msg('No access')],
] as const
const EXPIRIES = [
  ['', msg('Never')],
  ['86400', msg('In a day')],
  ['1209600', msg('In two weeks')],
  ['2592000', msg('In 30 days')],
  ['31536000', msg('In a year')],
] as const

interface Row {
  readonly id: string
  readonly cells: readonly HtmlValue[]
}
interface Kind {
  readonly path: string
  readonly columns: readonly Message[]
  readonly remove: AnyOperation
  /** Inputs of the form for a new block. After a refused form, they contain its values. */
  form(given: Fields): Html
  add(request: StaffRequest, form: Fields): Promise<unknown>
  load(request: StaffRequest, from: { max_id?: string }): Promise<{ rows: Row[]; older: string | null }>
}

const approval = (isAllowed: boolean): Html =>
  isAllowed ? badge(t('Sign-ups need approval'), 'warn') : badge(t('No sign-ups'), 'bad')

const severityBadge = (severity: string): Html =>
  badge(
    new Map<string, string>(labels(SEVERITIES)).get(severity) ?? severity,
    severity === 'sign_up_requires_approval' ? 'warn' : 'bad',
  )

const KINDS: readonly Kind[] = [
  {
    path: HERE,
    columns: [msg('IP address'), msg('Block'), msg('Comment'), msg('Ends'), msg('Created')],
    remove: removeIpBlock,
    form: (given) =>
      html`${field({ name: 'ip', label: t('IP address or range'), value: textIn(given, 'ip'), required: true })}${select({ name: 'severity', label: t('Block'), value: textIn(given, 'severity') || 'sign_up_requires_approval' }, labels(SEVERITIES))}${select({ name: 'expires_in', label: t('Ends'), value: textIn(given, 'expires_in') }, labels(EXPIRIES))}${field({ name: 'comment', label: t('Comment for staff'), value: textIn(given, 'comment') })}`,
    add: ({ callApi }, { ip, severity, expires_in, comment }) =>
      callApi(createIpBlock, {
        ip: String(ip ?? ''),
        severity: String(severity ?? ''),
        expires_in: String(expires_in ?? ''),
        comment: String(comment ?? ''),
      }),
    async load({ callApi, now }, from) {
      const { items, older } = await callApi.page(listIpBlocks, { ...from, limit: ROWS })
      const rows = items.map((one) => ({
        id: one.id,
        cells: [
          html`<b>${one.ip}</b>`,
          severityBadge(one.severity),
          html`<span class="long">${one.comment}</span>`,
          one.expires_at ? timeOf(one.expires_at) : html`<span class="muted">${t('Never')}</span>`,
          agoOf(one.created_at, now),
        ],
      }))
      return { rows, older }
    },
  },
  {
    path: `${HERE}/email_domains`,
    columns: [msg('E-mail domain'), msg('Block'), msg('Sign-ups in a week'), msg('Created')],
    remove: removeEmailDomainBlock,
    form: (given) =>
      html`${field({ name: 'domain', label: t('E-mail domain'), value: textIn(given, 'domain'), required: true })}${check('allow_with_approval', t('Allow sign-ups with approval'), isOn(given, 'allow_with_approval'))}`,
    add: ({ callApi }, form) =>
      callApi(createEmailDomainBlock, {
        domain: String(form.domain ?? ''),
        allow_with_approval: form.allow_with_approval === '1',
      }),
    async load({ callApi, now }, from) {
      const { items, older } = await callApi.page(listEmailDomainBlocks, { ...from, limit: ROWS })
      const rows = items.map((one) => ({
        id: one.id,
        cells: [
          html`<b class="long">${one.domain}</b>`,
          approval(one.allow_with_approval),
          numberOf(one.history.reduce((sum, { uses }) => sum + Number(uses), 0)),
          agoOf(one.created_at, now),
        ],
      }))
      return { rows, older }
    },
  },
  {
    path: `${HERE}/emails`,
    columns: [msg('SHA-256 of the address')],
    remove: removeCanonicalEmailBlock,
    form: (given) =>
      field({
        name: 'email',
        label: t('E-mail address'),
        value: textIn(given, 'email'),
        type: 'email',
        required: true,
      }),
    add: ({ callApi }, { email }) => callApi(createCanonicalEmailBlock, { email: String(email ?? '') }),
    async load({ callApi }, from) {
      const { items, older } = await callApi.page(listCanonicalEmailBlocks, { ...from, limit: ROWS })
      return {
        rows: items.map((one) => ({ id: one.id, cells: [html`<code>${one.canonical_email_hash}</code>`] })),
        older,
      }
    },
  },
  {
    path: `${HERE}/usernames`,
    columns: [msg('User name'), msg('Match'), msg('Block'), msg('Created')],
    remove: removeUsernameBlock,
    form: (given) =>
      html`${field({ name: 'username', label: t('User name'), value: textIn(given, 'username'), required: true })}${check('exact', t('Only this exact name'), isOn(given, 'exact'))}${check('allow_with_approval', t('Allow sign-ups with approval'), isOn(given, 'allow_with_approval'))}`,
    add: ({ callApi }, form) =>
      callApi(createUsernameBlock, {
        username: String(form.username ?? ''),
        exact: form.exact === '1',
        allow_with_approval: form.allow_with_approval === '1',
      }),
    async load({ callApi, now }, from) {
      const { items, older } = await callApi.page(listUsernameBlocks, { ...from, limit: ROWS })
      const rows = items.map((one) => ({
        id: one.id,
        cells: [
          html`<b class="long">${one.username}</b>`,
          one.exact ? badge(t('Exact')) : badge(t('Contains')),
          approval(one.allow_with_approval),
          agoOf(one.created_at, now),
        ],
      }))
      return { rows, older }
    },
  },
]

const show = async (
  request: StaffRequest,
  kind: Kind,
  form: Fields = {},
  problem: string | null = null,
): Promise<void> => {
  const max_id = idOrNull(filtersIn(request.req.query, ['max_id']).max_id)
  const { rows, older } = await kind.load(request, max_id === null ? {} : { max_id })
  request.show({
    title: t('Sign-up blocks'),
    current: 'blocks',
    refused: Boolean(problem),
    body: html`${tabs(t('Sign-up blocks'), labels(TABS), kind.path)}<form class="card filters" method="post" action="${kind.path}">${request.csrfField}${problem ? html`<div class="whole">${problemOf(problem)}</div>` : ''}${kind.form(form)}<div class="acts"><button type="submit">${t('Add')}</button></div></form>${table(
      t('Sign-up blocks'),
      [...kind.columns.map((one) => t(one)), ''],
      rows.map(({ id, cells }) => [
        ...cells,
        html`<button class="danger" type="submit" form="remove" name="remove" value="${id}">${t('Remove')}</button>`,
      ]),
      t('Nothing is blocked here.'),
    )}<form id="remove" method="post" action="${kind.path}">${request.csrfField}</form>${rows.length >= ROWS ? nextPage(kind.path, {}, { max_id: older }) : ''}`,
  })
}

const addKind = (admin: Admin, kind: Kind): void => {
  admin.add('get', kind.path, 'manage_blocks', (request) => show(request, kind))
  admin.add('post', kind.path, 'manage_blocks', async (request, form) => {
    const isRemoval = form.remove !== undefined
    const problem = await attempt(() =>
      isRemoval ? request.callApi(kind.remove, { id: idIn(form.remove) }) : kind.add(request, form),
    )
    if (problem && !isRemoval) return show(request, kind, form, problem)
    request.done(kind.path, problem ?? (isRemoval ? t('The block was removed.') : t('The block was added.')))
  })
}

export const addBlocks = (admin: Admin): void => {
  for (const kind of KINDS) addKind(admin, kind)
}
