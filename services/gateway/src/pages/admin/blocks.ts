/** Sign-up blocks below `/admin`: IP addresses, e-mail domains, e-mail addresses and user names, each listed, added and removed. */
import {
  canonicalEmailBlockCreate,
  canonicalEmailBlockList,
  canonicalEmailBlockRemove,
  emailDomainBlockCreate,
  emailDomainBlockList,
  emailDomainBlockRemove,
  ipBlockCreate,
  ipBlockList,
  ipBlockRemove,
  usernameBlockCreate,
  usernameBlockList,
  usernameBlockRemove,
} from '@murmuration/contracts/admin'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { type Html, html } from '../core/html.js'
import { idIn, idOrNull } from '../core/id.js'
import { agoOf, numberOf, timeOf } from '../core/parts/time.js'
import { isOn, problemOf, textIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffVisit } from './frame.js'
import { badge, check, field, filtersIn, nextPage, select, table, tabs } from './table.js'

const HERE = '/admin/blocks'
const ROWS = 100
const TABS = [
  [HERE, 'IP addresses'],
  [`${HERE}/email_domains`, 'E-mail domains'],
  [`${HERE}/emails`, 'E-mail addresses'],
  [`${HERE}/usernames`, 'User names'],
] as const

const SEVERITIES = [
  ['sign_up_requires_approval', 'Sign-ups need approval'],
  ['sign_up_block', 'No sign-ups'],
  ['no_access', 'No access'],
] as const
const EXPIRIES = [
  ['', 'Never'],
  ['86400', 'In a day'],
  ['1209600', 'In two weeks'],
  ['2592000', 'In 30 days'],
  ['31536000', 'In a year'],
] as const

interface Row {
  readonly id: string
  readonly cells: readonly unknown[]
}
interface Kind {
  readonly path: string
  readonly columns: readonly string[]
  readonly remove: AnyOperation
  /** The controls, with the input of a refused form. */
  form(given: Fields): Html
  add(visit: StaffVisit, form: Fields): Promise<unknown>
  load(visit: StaffVisit, from: { max_id?: string }): Promise<{ rows: Row[]; older: string | null }>
}

const approval = (isAllowed: boolean): Html =>
  isAllowed ? badge('Sign-ups need approval', 'warn') : badge('No sign-ups', 'bad')

const severityBadge = (severity: string): Html =>
  badge(
    SEVERITIES.find(([key]) => key === severity)?.[1] ?? severity,
    severity === 'sign_up_requires_approval' ? 'warn' : 'bad',
  )

const KINDS: readonly Kind[] = [
  {
    path: HERE,
    columns: ['IP address', 'Block', 'Comment', 'Ends', 'Created'],
    remove: ipBlockRemove,
    form: (given) =>
      html`${field({ name: 'ip', label: 'IP address or range', value: textIn(given, 'ip'), required: true })}${select({ name: 'severity', label: 'Block', value: textIn(given, 'severity') || 'sign_up_requires_approval' }, SEVERITIES)}${select({ name: 'expires_in', label: 'Ends', value: textIn(given, 'expires_in') }, EXPIRIES)}${field({ name: 'comment', label: 'Comment for staff', value: textIn(given, 'comment') })}`,
    add: ({ ask }, { ip, severity, expires_in, comment }) =>
      ask(ipBlockCreate, {
        ip: String(ip ?? ''),
        severity: String(severity ?? ''),
        expires_in: String(expires_in ?? ''),
        comment: String(comment ?? ''),
      }),
    async load({ ask, now }, from) {
      const { items, older } = await ask.page(ipBlockList, { ...from, limit: ROWS })
      const rows = items.map((one) => ({
        id: one.id,
        cells: [
          html`<b>${one.ip}</b>`,
          severityBadge(one.severity),
          one.comment,
          one.expires_at ? timeOf(one.expires_at) : html`<span class="soft">Never</span>`,
          agoOf(one.created_at, now),
        ],
      }))
      return { rows, older }
    },
  },
  {
    path: `${HERE}/email_domains`,
    columns: ['E-mail domain', 'Block', 'Sign-ups in a week', 'Created'],
    remove: emailDomainBlockRemove,
    form: (given) =>
      html`${field({ name: 'domain', label: 'E-mail domain', value: textIn(given, 'domain'), required: true })}${check('allow_with_approval', 'Allow sign-ups with approval', isOn(given, 'allow_with_approval'))}`,
    add: ({ ask }, form) =>
      ask(emailDomainBlockCreate, {
        domain: String(form.domain ?? ''),
        allow_with_approval: form.allow_with_approval === '1',
      }),
    async load({ ask, now }, from) {
      const { items, older } = await ask.page(emailDomainBlockList, { ...from, limit: ROWS })
      const rows = items.map((one) => ({
        id: one.id,
        cells: [
          html`<b>${one.domain}</b>`,
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
    columns: ['SHA-256 of the address'],
    remove: canonicalEmailBlockRemove,
    form: (given) =>
      field({
        name: 'email',
        label: 'E-mail address',
        value: textIn(given, 'email'),
        type: 'email',
        required: true,
      }),
    add: ({ ask }, { email }) => ask(canonicalEmailBlockCreate, { email: String(email ?? '') }),
    async load({ ask }, from) {
      const { items, older } = await ask.page(canonicalEmailBlockList, { ...from, limit: ROWS })
      return {
        rows: items.map((one) => ({ id: one.id, cells: [html`<code>${one.canonical_email_hash}</code>`] })),
        older,
      }
    },
  },
  {
    path: `${HERE}/usernames`,
    columns: ['User name', 'Match', 'Block', 'Created'],
    remove: usernameBlockRemove,
    form: (given) =>
      html`${field({ name: 'username', label: 'User name', value: textIn(given, 'username'), required: true })}${check('exact', 'Only this exact name', isOn(given, 'exact'))}${check('allow_with_approval', 'Allow sign-ups with approval', isOn(given, 'allow_with_approval'))}`,
    add: ({ ask }, form) =>
      ask(usernameBlockCreate, {
        username: String(form.username ?? ''),
        exact: form.exact === '1',
        allow_with_approval: form.allow_with_approval === '1',
      }),
    async load({ ask, now }, from) {
      const { items, older } = await ask.page(usernameBlockList, { ...from, limit: ROWS })
      const rows = items.map((one) => ({
        id: one.id,
        cells: [
          html`<b>${one.username}</b>`,
          one.exact ? badge('Exact') : badge('Contains'),
          approval(one.allow_with_approval),
          agoOf(one.created_at, now),
        ],
      }))
      return { rows, older }
    },
  },
]

const show = async (visit: StaffVisit, kind: Kind, form: Fields = {}, problem: string | null = null): Promise<void> => {
  const max_id = idOrNull(filtersIn(visit.req.query, ['max_id']).max_id)
  const { rows, older } = await kind.load(visit, max_id === null ? {} : { max_id })
  visit.show({
    title: 'Sign-up blocks',
    current: 'blocks',
    refused: Boolean(problem),
    body: html`${tabs('Sign-up blocks', TABS, kind.path)}<form class="card filters" method="post" action="${kind.path}">${visit.proof}${problem ? html`<div class="whole">${problemOf(problem)}</div>` : ''}${kind.form(form)}<div class="acts"><button type="submit">Add</button></div></form>${table(
      'Sign-up blocks',
      [...kind.columns, ''],
      rows.map(({ id, cells }) => [
        ...cells,
        html`<button class="danger" type="submit" form="remove" name="remove" value="${id}">Remove</button>`,
      ]),
      'Nothing is blocked here.',
    )}<form id="remove" method="post" action="${kind.path}">${visit.proof}</form>${rows.length >= ROWS ? nextPage(kind.path, {}, { max_id: older }) : ''}`,
  })
}

const addKind = (admin: Admin, kind: Kind): void => {
  admin.add('get', kind.path, 'manage_blocks', (visit) => show(visit, kind))
  admin.add('post', kind.path, 'manage_blocks', async (visit, form) => {
    const isRemoval = form.remove !== undefined
    const problem = await attempt(() =>
      isRemoval ? visit.ask(kind.remove, { id: idIn(form.remove) }) : kind.add(visit, form),
    )
    if (problem && !isRemoval) return show(visit, kind, form, problem)
    visit.done(kind.path, problem ?? (isRemoval ? 'The block was removed.' : 'The block was added.'))
  })
}

export const addBlocks = (admin: Admin): void => {
  for (const kind of KINDS) addKind(admin, kind)
}
