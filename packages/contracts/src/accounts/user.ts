/** Operations with which staff and operators change logins of local accounts. */
import { z } from 'zod'
import { STAFF_PREFIX, StaffAct, staffRestore, staffWrites } from '../admin/staff.js'
import { event, flagOr, id, operation, post, text } from '../kit/index.js'

const writes = staffWrites('manage_user_access', 'accounts')
const target = { id: id() }

export const changeUserEmail = operation('accounts.user.change-email', {
  http: post(`${STAFF_PREFIX}/accounts/:id/email`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    ...target,
    email: text(),
    /** True if the new e-mail address counts as confirmed immediately. If not, the account gets a confirmation link by e-mail. */
    confirm: flagOr(false),
  }),
  output: z.object({}),
  errors: ['not_found', 'forbidden', 'unprocessable', 'rate_limited', 'unavailable'],
  about: 'Changes the e-mail address of a local account below the caller’s own role.',
})

export const confirmUser = operation('accounts.user.confirm', {
  http: post(`${STAFF_PREFIX}/accounts/:id/confirm`),
  viewer: writes,
  class: 'admin',
  input: z.object(target),
  output: z.object({}),
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about:
    'Confirms the e-mail address of a local account without its link, also a new address that waits for confirmation.',
})

export const resetUserPassword = operation('accounts.user.reset-password', {
  http: post(`${STAFF_PREFIX}/accounts/:id/reset_password`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    ...target,
    /** True: sets a random password and returns it. Only for operators. */
    show: flagOr(false),
  }),
  output: z.object({
    /** The random password; null if staff, not an operator, sent the request. */
    password: z.string().nullable(),
  }),
  errors: ['not_found', 'forbidden'],
  about: 'Removes the password of a local account and sends a link for a new one. Its sessions and tokens end.',
})

export const disableUserSecondFactor = operation('accounts.user.disable-2fa', {
  http: post(`${STAFF_PREFIX}/accounts/:id/disable_2fa`),
  viewer: writes,
  class: 'admin',
  input: z.object({
    ...target,
    /** True: only reports whether the user has a second factor. */
    dry_run: flagOr(false),
  }),
  output: z.object({ /** False if the account has no second factor that could be removed. */ removed: z.boolean() }),
  errors: ['not_found', 'forbidden'],
  about: 'Removes all second factors of a local account and ends its sessions. The account gets an e-mail.',
})

export const memorializeUser = operation('accounts.user.memorialize', {
  http: post(`${STAFF_PREFIX}/accounts/:id/memorialize`),
  viewer: staffWrites('delete_user_data', 'accounts'),
  class: 'admin',
  input: z.object(target),
  output: z.object({}),
  errors: ['not_found', 'forbidden'],
  about:
    'Marks a local account below the caller’s own role as that of a deceased person. Its content stays, and the account can no longer sign in or act. An undo in the audit log ends that.',
})

export const userManaged = event('accounts.user.managed', {
  data: StaffAct,
  about: 'Staff or an operator changed the login of a local account, or fetched the profile of a remote one.',
})

export const restoreUser = staffRestore('accounts.user.restore', 'Undoes an action of staff on a local account.')
