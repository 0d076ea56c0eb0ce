/** Roles below `/admin`: list, create, change and delete. */
import {
  createRole,
  listRoles,
  removeRole,
  type StaffRole,
  showRole,
  updateRole,
} from '@murmuration/contracts/accounts'
import { changedFields } from '../core/changed-field.js'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { pageNotFound } from '../core/page-request.js'
import { numberOf } from '../core/parts/time.js'
import { isOn, textIn, valuesIn } from './controls.js'
import { type Admin, attempt, type Fields, type StaffRequest } from './frame.js'
import { permissionLabel } from './permission-labels.js'
import { EVERYONE, roleForm } from './role-form.js'
import { badge, table } from './table.js'

const HERE = '/admin/roles'
const NEW = `${HERE}/new`
const pathOf = (id: string): string => `${HERE}/${id}`

const swatch = ({ color }: StaffRole): Html | '' =>
  /^#?(?:[0-9a-f]{3}){1,2}$/i.test(color)
    ? html`<svg class="swatch" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="6" fill="#${color.replace('#', '')}"/></svg> `
    : ''

const permissionsOf = ({ permission_names }: StaffRole): Html => {
  if (permission_names.includes('administrator')) return badge(t('Everything'), 'warn')
  if (permission_names.length === 0) return html`<span class="muted">–</span>`
  return html`<details><summary>${numberOf(permission_names.length)}</summary><ul class="plain-list">${permission_names.map(
    (name) => html`<li>${permissionLabel(name)}</li>`,
  )}</ul></details>`
}

const list = async (request: StaffRequest): Promise<void> => {
  const roles = await request.callApi(listRoles, {})
  request.show({
    title: t('Roles'),
    current: 'roles',
    body: html`<p class="muted">${t('A role is assigned on the page about an account. Accounts act only on accounts and roles with a lower position.')}</p><p class="acts"><a class="button" href="${NEW}">${t('New role')}</a></p>${table(
      t('Roles'),
      [t('Role'), t('Position'), t('Permissions'), t('Requirements'), ''],
      roles.map((one) => [
        html`${swatch(one)}<b>${one.id === EVERYONE ? t('Everyone') : one.name}</b> ${one.highlighted ? badge(t('Shown on profiles')) : ''}`,
        one.position,
        permissionsOf(one),
        one.require_2fa ? badge(t('Second factor'), 'ok') : html`<span class="muted">–</span>`,
        html`<p class="row keep"><a class="button quiet" href="${pathOf(one.id)}">${t('Edit')}</a>${
          one.id === EVERYONE
            ? ''
            : html`<a class="button quiet" href="/admin/accounts?role_ids=${one.id}">${t('Accounts')}</a>`
        }</p>`,
      ]),
      t('There are no roles.'),
    )}`,
  })
}

/** Permission names, sorted and without duplicates, because a form sends them in the order of its checkboxes. */
const inOrder = (names: readonly string[]): string[] => [...new Set(names)].toSorted()

/** Converts the form of a role to the input of `createRole` and `updateRole`. */
const wanted = (form: Fields) => ({
  name: textIn(form, 'name'),
  color: textIn(form, 'color').trim(),
  position: textIn(form, 'position').trim() || '0',
  permissions: inOrder(valuesIn(form, 'permissions')),
  highlighted: isOn(form, 'highlighted'),
  require_2fa: isOn(form, 'require_2fa'),
  collection_limit: textIn(form, 'collection_limit').trim() || '0',
})

/** Values of a role as an unchanged form sends them. */
const unchangedOf = (role: StaffRole): ReturnType<typeof wanted> => ({
  ...{ name: role.name, color: role.color.trim(), position: String(role.position) },
  ...{ permissions: inOrder(role.permission_names), highlighted: role.highlighted, require_2fa: role.require_2fa },
  collection_limit: String(role.collection_limit),
})

const shownFrom = (form: Fields, id: string): StaffRole => {
  const { position, collection_limit, permissions, ...rest } = wanted(form)
  return {
    id,
    ...rest,
    permissions: '0',
    permission_names: permissions,
    position: Number(position) || 0,
    collection_limit: Number(collection_limit) || 0,
  }
}

const FRESH: StaffRole = shownFrom({ collection_limit: '10' }, '')

const showNew = (request: StaffRequest, form: Fields | null = null, problem: string | null = null): void =>
  request.show({
    title: t('New role'),
    current: 'roles',
    above: html`<a href="${HERE}">${t('Roles')}</a>`,
    refused: Boolean(problem),
    body: roleForm(request, { role: form ? shownFrom(form, '') : FRESH, path: NEW, problem, isLocked: false }),
  })

const roleId = ({ req }: StaffRequest): string => (req.params.id === EVERYONE ? EVERYONE : idIn(req.params.id))

const show = async (
  request: StaffRequest,
  form: Fields | null = null,
  problem: string | null = null,
): Promise<void> => {
  const id = roleId(request)
  const role = await request.callApi(showRole, { id })
  const isLocked = request.user.viewer.position <= role.position
  request.show({
    title: id === EVERYONE ? t('Everyone') : role.name,
    heading: html`${id === EVERYONE ? t('Everyone') : role.name}`,
    current: 'roles',
    above: html`<a href="${HERE}">${t('Roles')}</a>`,
    refused: Boolean(problem),
    body: html`${roleForm(request, { role: form ? { ...role, ...shownFrom(form, id) } : role, path: pathOf(id), problem, isLocked, unchanged: unchangedOf(role), form })}${
      isLocked || id === EVERYONE
        ? ''
        : html`<form class="card edit" method="post" action="${pathOf(id)}">${request.csrfField}<h2>${t('Delete the role')}</h2><p>${t('Its holders keep their accounts and have the role of everyone.')} <a href="/admin/accounts?role_ids=${id}">${t('Accounts with this role')}</a></p><label class="choice"><input type="checkbox" name="sure" value="1" required> <span>${t('Delete it for all holders')}</span></label><p class="acts"><button class="danger" type="submit" name="do" value="delete">${t('Delete')}</button></p></form>`
    }`,
  })
}

const change = async (request: StaffRequest, form: Fields): Promise<void> => {
  const id = roleId(request)
  if (form.do === 'delete') {
    if (!isOn(form, 'sure')) return request.done(pathOf(id), t('Nothing was deleted: confirm it with the checkbox.'))
    const problem = await attempt(() => request.callApi(removeRole, { id }))
    return request.done(problem ? pathOf(id) : HERE, problem ?? t('The role was deleted.'))
  }
  if (form.do !== 'save') throw pageNotFound()
  const problem = await attempt(() => request.callApi(updateRole, { id, ...changedFields(form, wanted(form)) }))
  return problem ? show(request, form, problem) : request.done(HERE, t('The role was changed.'))
}

export const addRoles = (admin: Admin): void => {
  admin.add('get', HERE, 'manage_roles', list)
  admin.add('get', NEW, 'manage_roles', (request) => showNew(request))
  admin.add('post', NEW, 'manage_roles', async (request, form) => {
    const problem = await attempt(() => request.callApi(createRole, wanted(form)))
    return problem ? showNew(request, form, problem) : request.done(HERE, t('The role was created.'))
  })
  admin.add('get', pathOf(':id'), 'manage_roles', (request) => show(request))
  admin.add('post', pathOf(':id'), 'manage_roles', change)
}
