/** Page that assigns a role to an account below `/admin`. */
import { assignRole, listRoles, type StaffRole } from '@murmuration/contracts/accounts'
import { showAccountForStaff } from '@murmuration/contracts/admin'
import { type Html, html } from '../core/html.js'
import { idIn } from '../core/id.js'
import { t } from '../core/language.js'
import { textIn } from './controls.js'
import { type Admin, attempt, type StaffRequest } from './frame.js'
import { permissionLabel } from './permission-labels.js'
import { EVERYONE } from './role-form.js'
import { accountCell, adminAccountPath, handleOf } from './table.js'

const pathOf = (id: string): string => `${adminAccountPath(id)}/role`

const summary = ({ permission_names, require_2fa }: StaffRole): string => {
  const labels = permission_names.map((name) => permissionLabel(name))
  return [...(require_2fa ? [t('Require a second factor')] : []), ...labels].join(' · ') || '–'
}

const option = (id: string, title: string, help: string, isChosen: boolean): Html =>
  html`<div class="control"><label class="choice"><input type="radio" id="role-${id || 'none'}" name="role_id" value="${id}" aria-describedby="role-${id || 'none'}-help"${isChosen ? html` checked` : ''}> <span>${title}</span></label><p class="help" id="role-${id || 'none'}-help">${help}</p></div>`

const show = async (request: StaffRequest, problem: string | null = null): Promise<void> => {
  const id = idIn(request.req.params.id)
  const [one, roles] = await Promise.all([request.callApi(showAccountForStaff, { id }), request.callApi(listRoles, {})])
  const own = request.user.viewer.position
  const current = one.role?.id ?? ''
  const offered = roles.filter((role) => role.id !== EVERYONE && (role.position <= own || role.id === current))
  request.show({
    title: t('Assign a role'),
    current: 'accounts',
    above: html`<a href="/admin/accounts">${t('Accounts')}</a> › <a href="${adminAccountPath(id)}">${handleOf(one)}</a>`,
    problem,
    body: html`<form class="card edit" method="post" action="${pathOf(id)}">${request.csrfField}<p>${accountCell(one, false)}</p><fieldset><legend>${t('Role')}</legend>${option('', t('No role'), t('The permissions of everyone.'), current === '')}${offered.map(
      (role) => option(role.id, role.name, summary(role), role.id === current),
    )}</fieldset><p class="muted small">${t('Only roles up to your own position are offered.')}</p><button type="submit">${t('Assign')}</button></form>`,
  })
}

export const addRoleAssignment = (admin: Admin): void => {
  admin.add('get', pathOf(':id'), 'manage_roles', (request) => show(request))
  admin.add('post', pathOf(':id'), 'manage_roles', async (request, form) => {
    const id = idIn(request.req.params.id)
    const problem = await attempt(() => request.callApi(assignRole, { id, role_id: textIn(form, 'role_id') }))
    return problem ? show(request, problem) : request.done(adminAccountPath(id), t('The role was changed.'))
  })
}
