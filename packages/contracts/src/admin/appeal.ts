/**
 * Operations and events about appeals against strikes: submitted by the account holder, approved or rejected by staff.
 */
import { z } from 'zod'
import { AccountWarning, AdminStrike, Appeal, WarningAction } from '../entities/index.js'
import { anyOf, event, get, id, internal, operation, post, text, textOrNone, user } from '../kit/index.js'
import { STAFF_PREFIX, staffPage, staffPageOf, staffReads, staffWrites } from './staff.js'
import { OWN_STRIKES } from './strike.js'

const path = `${STAFF_PREFIX}/appeals`
const appealText = text().optional()

export const createAppeal = operation('admin.appeal.create', {
  http: post(`${OWN_STRIKES}/:id/appeal`),
  viewer: user('write|write:accounts'),
  input: z.object({ id: id(), text: appealText }),
  output: AccountWarning,
  errors: ['not_found', 'unprocessable'],
  creates: true,
  about: 'Appeals against a strike: once, within 20 days, with at most 2000 characters.',
})

export const createAppealOfHolder = operation('admin.appeal.create-of-holder', {
  viewer: internal(),
  class: 'write',
  input: z.object({ account: z.string(), id: id(), text: appealText }),
  output: z.object({}),
  errors: ['not_found', 'unprocessable'],
  about: 'Appeals against a strike from a page; also for disabled and suspended accounts.',
})

export const listAppeals = operation('admin.appeal.list', {
  http: get(path),
  viewer: staffReads('manage_appeals'),
  class: 'admin',
  input: z.object({ state: textOrNone(20).optional(), ...staffPage() }),
  output: staffPageOf(AdminStrike, 'state'),
  errors: ['unprocessable'],
  large: true,
  about:
    'Strikes with a pending appeal, or with an `approved` or `rejected` one if `state` says so; newest appeal first.',
})

export const showAppeal = operation('admin.appeal.show', {
  http: get(`${path}/:id`),
  viewer: staffReads('manage_appeals'),
  class: 'admin',
  input: z.object({ id: id() }),
  output: AdminStrike,
  errors: ['not_found'],
  about: 'One appeal with its strike.',
})

const decides = (verb: string, about: string) =>
  operation(`admin.appeal.${verb}`, {
    http: post(`${path}/:id/${verb}`),
    viewer: staffWrites('manage_appeals'),
    class: 'admin',
    input: z.object({ id: id() }),
    output: AdminStrike,
    errors: ['not_found', 'forbidden', 'unprocessable'],
    about,
  })

export const approveAppeal = decides(
  'approve',
  'Approves an appeal: the strike is overruled and its action is undone where possible. Deleted statuses stay deleted.',
)
export const rejectAppeal = decides('reject', 'Rejects an appeal. The strike stays in force.')

export const appealChanged = event('admin.appeal.changed', {
  data: z.object({
    id: z.string(),
    strike: z.string(),
    /** Account id of the account holder who appeals. */
    target: z.string(),
    action: anyOf(WarningAction),
    text: z.string(),
    state: anyOf(Appeal.shape.state),
  }),
  about: 'An account holder appealed against a strike, or staff approved or rejected the appeal.',
})
