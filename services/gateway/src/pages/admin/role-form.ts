/** Form of a role: fields, and permissions by group. */

import type { StaffRole } from '@murmuration/contracts/accounts'
import { can, EVERYONE_MAY_HOLD, PERMISSIONS, type PermissionName } from '@murmuration/contracts/permissions'
import type { Message } from '@murmuration/messages'
import { shownFields } from '../core/changed-field.js'
import { type Html, html } from '../core/html.js'
import { t } from '../core/language.js'
import { lineOf, problemOf, switchOf } from './controls.js'
import type { Fields, StaffRequest } from './frame.js'
import { PERMISSION_GROUPS } from './permission-labels.js'

/** Id of the role that every account has. */
export const EVERYONE = '-99'

interface Shown {
  readonly role: StaffRole
  /** Path to which the form is posted. */
  readonly path: string
  readonly problem: string | null
  /**
   * `unchanged`: values of the shown role, as an unchanged form sends them. `form`: the refused form, whose digests are
   * sent again. See `pages/core/changed-field.ts`.
   */
  readonly unchanged?: Fields
  readonly form?: Fields | null
  /** True if the role does not rank below the viewer's role. The viewer cannot change such a role. */
  readonly isLocked: boolean
}

type Words = readonly [name: PermissionName, title: string, help: string]

/** Whether the role may have this permission. The role that every account has may have only some permissions. */
const fits = ({ id }: StaffRole, name: PermissionName): boolean =>
  id !== EVERYONE || (EVERYONE_MAY_HOLD & PERMISSIONS[name]) !== 0

/** Checkbox of a permission. Viewers can change only permissions that they have. Hidden fields keep the other permissions of the role. */
const permission = ({ may }: StaffRequest, { role, isLocked }: Shown, [name, title, help]: Words): Html => {
  const on = role.permission_names.includes(name)
  const isFixed = isLocked || !may(name)
  return html`${switchOf({ id: `permission-${name}`, name: 'permissions[]', value: name, label: title, help, on, isFixed })}${
    isFixed && on && !isLocked ? html`<input type="hidden" name="permissions[]" value="${name}">` : ''
  }`
}

/** Hidden fields that keep permissions that only a newer release knows. */
const unknownPermissions = ({ role, isLocked }: Shown): Html[] =>
  role.permission_names
    .filter((name) => !isLocked && !Object.hasOwn(PERMISSIONS, name))
    .map((name) => html`<input type="hidden" name="permissions[]" value="${name}">`)

const permissions = (request: StaffRequest, shown: Shown): Html[] => [
  ...unknownPermissions(shown),
  ...PERMISSION_GROUPS.flatMap((group) => {
    const entries = Object.entries(group.permissions) as [PermissionName, readonly [Message, Message]][]
    const fitting = entries.filter(([name]) => fits(shown.role, name))
    if (fitting.length === 0) return []
    return [
      html`<fieldset class="permissions"><legend>${t(group.title)}</legend>${fitting.map(([name, [title, help]]) => permission(request, shown, [name, t(title), t(help)]))}</fieldset>`,
    ]
  }),
]

const fields = ({ role }: Shown, own: number): Html =>
  html`${lineOf({ name: 'name', label: t('Name'), value: role.name, max: 100, required: true })}<div class="pair">${lineOf({ name: 'color', label: t('Colour'), help: t('Three or six digits, such as #1f6f75. Optional.'), value: role.color, max: 7, placeholder: '#1f6f75' })}${lineOf({ name: 'position', label: t('Position'), type: 'number', help: `${t('Roles act only on lower positions. At most:')} ${own}`, value: String(role.position) })}</div>${switchOf({ name: 'highlighted', label: t('Show the role on profiles'), help: t('As a badge with the name and colour.'), on: role.highlighted })}${switchOf({ name: 'require_2fa', label: t('Require a second factor'), help: t('Holders without one can only sign in to add one.'), on: role.require_2fa })}`

export const roleForm = (request: StaffRequest, shown: Shown): Html => {
  const { role, path, problem, isLocked, unchanged, form } = shown
  return html`<form class="card edit wide" method="post" action="${path}">${request.csrfField}${unchanged ? shownFields(unchanged, form) : ''}${problemOf(problem)}${
    isLocked
      ? html`<p class="preview">${t('This role is not below yours. You can see it, and not change it.')}</p>`
      : ''
  }<fieldset class="bare"${isLocked ? html` disabled` : ''}>${
    role.id === EVERYONE
      ? html`<p class="muted">${t('Every account has these permissions, whatever its role.')}</p>`
      : fields(shown, request.user.viewer.position)
  }${lineOf({ name: 'collection_limit', label: t('Collections per account'), type: 'number', help: t('The number of collections that a holder may create.'), value: String(role.collection_limit) })}<h2>${t('Permissions')}</h2>${
    can(request.user.viewer.permissions, 'administrator')
      ? ''
      : html`<p class="muted">${t('You can give permissions that your own role has.')}</p>`
  }${permissions(request, shown)}</fieldset>${
    isLocked ? '' : html`<div class="acts"><button type="submit" name="do" value="save">${t('Save')}</button></div>`
  }</form>`
}
