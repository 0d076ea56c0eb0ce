/** Operations for actions of moderators on accounts, and the jobs that apply the actions. */
import { z } from 'zod'
import { AdminAccount } from '../entities/index.js'
import {
  del,
  flagOr,
  get,
  id,
  ids,
  job,
  list,
  operation,
  optionalId,
  pageFields,
  pageOf,
  post,
  scalarText,
  text,
  textOrNone,
  user,
} from '../kit/index.js'
import { limits } from '../limits.js'

const may = { permission: 'manage_users' }
const reads = user('admin:read|admin:read:accounts', may)
const writes = user('admin:write|admin:write:accounts', may)

/**
 * Parses a boolean parameter: every value that is not blank means true, also the text `false` or an object.
 * Clients signal true by sending the parameter.
 */
const present = () =>
  z
    .unknown()
    .optional()
    .transform((value) => {
      if (value === undefined || value === null || value === false) return false
      return (typeof value === 'object' && !Array.isArray(value)) || scalarText(value).trim() !== ''
    })

const search = {
  username: textOrNone(500).optional(),
  display_name: textOrNone(500).optional(),
  by_domain: textOrNone(2_000).optional(),
  email: textOrNone(500).optional(),
  ip: textOrNone(100).optional(),
}
const { default: usual, max } = limits.pages.admin

const older = {
  local: present(),
  remote: present(),
  active: present(),
  pending: present(),
  disabled: present(),
  sensitized: present(),
  silenced: present(),
  suspended: present(),
  staff: present(),
  ids: ids(1_000).optional(),
  ...search,
}
export const listAccountsForStaffV1 = operation('admin.account.list-v1', {
  http: get('/api/v1/admin/accounts'),
  viewer: reads,
  class: 'admin',
  input: z.object({ ...older, ...pageFields(usual, max) }),
  output: pageOf(AdminAccount, 'list', ['limit', ...Object.keys(older)]),
  large: true,
  about: 'Accounts by the parameters of API v1, newest first. By default active local accounts.',
})

/** Filters of the account list in version 2 of the admin API. */
export const accountFilters = {
  origin: textOrNone(50).optional(),
  status: textOrNone(50).optional(),
  permissions: textOrNone(50).optional(),
  role_ids: list(text(20), 100).optional(),
  invited_by: id().optional(),
  ...search,
}
export const listAccountsForStaff = operation('admin.account.list', {
  http: get('/api/v2/admin/accounts'),
  viewer: reads,
  class: 'admin',
  input: z.object({ ...accountFilters, invited_by: optionalId(), ...pageFields(usual, max) }),
  output: pageOf(AdminAccount, 'list', ['limit', ...Object.keys(accountFilters)]),
  errors: ['invalid'],
  large: true,
  about: 'Accounts that match all of the conditions, newest first.',
})

export const approveAccountByStaff = operation('admin.account.approve', {
  http: post('/api/v1/admin/accounts/:id/approve'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminAccount,
  errors: ['not_found', 'forbidden'],
  about: 'Approves a pending sign-up. The account holder gets an e-mail.',
})

export const rejectAccountByStaff = operation('admin.account.reject', {
  http: post('/api/v1/admin/accounts/:id/reject'),
  viewer: writes,
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found', 'forbidden'],
  about: 'Rejects a pending sign-up. The account is deleted; its username and e-mail address become free.',
})

export const deleteAccountByStaff = operation('admin.account.delete', {
  http: del('/api/v1/admin/accounts/:id'),
  viewer: user('admin:write|admin:write:accounts', { permission: 'delete_user_data' }),
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found', 'forbidden'],
  about: 'Deletes the data of a suspended account permanently.',
})

export const showAccountForStaff = operation('admin.account.show', {
  http: get('/api/v1/admin/accounts/:id'),
  viewer: reads,
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminAccount,
  errors: ['not_found'],
  about: 'One account, with the data that moderators need.',
})

export const actOnAccount = operation('admin.account.act', {
  http: post('/api/v1/admin/accounts/:id/action'),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    type: z.union([z.null(), text(50)]).optional(),
    report_id: z.union([z.null(), z.literal('').transform(() => null), id()]).optional(),
    warning_preset_id: textOrNone(50).optional(),
    text: z.union([z.null(), text()]).optional(),
    send_email_notification: flagOr(true),
  }),
  output: z.object({}),
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about: 'Warns, disables, limits or suspends an account, and resolves the reports about it.',
})

const undoes = (verb: string, about: string) =>
  operation(`admin.account.${verb}`, {
    http: post(`/api/v1/admin/accounts/:id/${verb}`),
    viewer: writes,
    class: 'admin',
    input: z.object({ id: id() }),
    output: AdminAccount,
    errors: ['not_found', 'forbidden'],
    about,
  })

export const enableAccount = undoes('enable', 'Enables a disabled login again.')
export const unsensitizeAccount = undoes('unsensitive', 'Media of the account are no longer marked as sensitive.')
export const unsilenceAccount = undoes('unsilence', 'The account is no longer limited.')
export const unsuspendAccount = undoes('unsuspend', 'The account is no longer suspended.')

export const enforceAccountDecision = job('admin.settle-account', {
  data: z.object({ account: z.string(), state: z.enum(['disable', 'sensitive', 'silence', 'suspend']) }),
  about: 'Applies the latest decision of staff about one state of an account.',
})

export const enforceAccountDecisions = job('admin.settle-accounts', {
  data: z.object({ accounts: z.array(z.string()), state: z.enum(['disable', 'sensitive', 'silence', 'suspend']) }),
  timeoutMs: 60_000,
  about: 'Applies the latest decisions of staff about one state of several accounts.',
})

export const applyFinalDecisions = job('admin.settle-verdicts', {
  data: z.object({ accounts: z.array(z.string()), verdict: z.enum(['approve', 'reject']) }),
  timeoutMs: 60_000,
  about: 'Applies the decisions of staff on several sign-ups.',
})

export const applyFinalDecision = job('admin.settle-verdict', {
  data: z.object({ account: z.string(), verdict: z.enum(['approve', 'reject', 'delete']) }),
  timeoutMs: 60_000,
  about: 'Applies the decision of staff to approve, reject or delete an account.',
})
