/** What moderators do to accounts. */
import { z } from 'zod'
import { AdminAccount } from '../entities/index.js'
import { flagOr, get, id, operation, post, text, textOrNone, user } from '../kit/index.js'

const may = { permission: 'manage_users' }
const writes = user('admin:write|admin:write:accounts', may)

export const adminAccountShow = operation('admin.account.show', {
  http: get('/api/v1/admin/accounts/:id'),
  viewer: user('admin:read|admin:read:accounts', may),
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminAccount,
  errors: ['not_found'],
  about: 'One account with what moderators need to know.',
})

export const adminAccountAct = operation('admin.account.act', {
  http: post('/api/v1/admin/accounts/:id/action'),
  viewer: writes,
  class: 'admin',
  input: z.object({
    id: id(),
    type: z.union([z.null(), text(50)]).optional(),
    report_id: z.union([z.null(), z.literal('').transform(() => null), id()]).optional(),
    warning_preset_id: textOrNone(50).optional(),
    text: z.union([z.null(), text(100_000)]).optional(),
    send_email_notification: flagOr(true),
  }),
  output: z.object({}),
  errors: ['not_found', 'forbidden', 'unprocessable'],
  about: 'Warns, disables, limits or suspends an account, and settles the reports about it.',
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

export const adminAccountEnable = undoes('enable', 'A disabled person may sign in again.')
export const adminAccountUnsensitive = undoes('unsensitive', 'Media of the account are no longer hidden.')
export const adminAccountUnsilence = undoes('unsilence', 'The account is no longer limited.')
export const adminAccountUnsuspend = undoes('unsuspend', 'The account is no longer suspended.')
