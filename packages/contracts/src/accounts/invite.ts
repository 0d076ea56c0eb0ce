/** Operations and events about invitations: links with which users invite others. */
import { z } from 'zod'
import {
  STAFF_PREFIX,
  StaffAct,
  staffPage,
  staffPageOf,
  staffReads,
  staffRestore,
  staffWrites,
} from '../admin/staff.js'
import { del, event, flag, get, id, internal, operation } from '../kit/index.js'

export const Invite = z.object({
  id: z.string(),
  code: z.string(),
  uses: z.int(),
  /** Maximum number of sign-ups with the invitation; null without a limit. */
  max_uses: z.int().nullable(),
  expires_at: z.string().nullable(),
  autofollow: z.boolean(),
  comment: z.string(),
  created_at: z.string(),
  usable: z.boolean(),
})
export type Invite = z.infer<typeof Invite>

const session = z.string().max(512)

export const listInvites = operation('accounts.invite.list', {
  viewer: internal(),
  input: z.object({ session }),
  output: z.object({ invites: z.array(Invite) }),
  errors: ['unauthenticated', 'forbidden'],
  about: 'Invitations of the signed-in user, newest first; at most 100.',
})

export const createInvite = operation('accounts.invite.create', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    session,
    max_uses: z.int().nullable(),
    /** Lifetime of the invitation in seconds from now; null for no limit. */
    expires_in: z.int().nullable(),
    /** True when the new account follows the inviter. */
    autofollow: z.boolean(),
    comment: z.string().max(10_000),
  }),
  output: z.object({ invite: Invite }),
  errors: ['unauthenticated', 'forbidden', 'unprocessable'],
  about: 'Creates an invitation, if the role of the user permits it.',
})

export const expireInvite = operation('accounts.invite.expire', {
  viewer: internal(),
  class: 'write',
  input: z.object({ session, id: id() }),
  output: z.object({ invite: Invite }),
  errors: ['unauthenticated', 'not_found'],
  about: 'Ends an invitation of the signed-in user.',
})

/** An invitation as staff sees it. */
export const StaffInvite = Invite.extend({ /** Account id of the inviter. */ account_id: z.string() }).meta({
  id: 'StaffInvite',
  description: 'An invitation, for staff.',
})
export type StaffInvite = z.infer<typeof StaffInvite>

export const listAllInvites = operation('accounts.invite.list-all', {
  http: get(`${STAFF_PREFIX}/invites`),
  viewer: staffReads('manage_invites'),
  class: 'admin',
  input: z.object({
    /** Only invitations that this account created. */
    account_id: id().optional(),
    /** True returns only invitations that can be used. False returns only expired and used-up invitations. */
    usable: flag(),
    ...staffPage(),
  }),
  output: staffPageOf(StaffInvite, 'account_id', 'usable'),
  about: 'Invitations of all users, newest first.',
})

export const deactivateInvite = operation('accounts.invite.deactivate', {
  http: del(`${STAFF_PREFIX}/invites/:id`),
  viewer: staffWrites('manage_invites'),
  class: 'admin',
  input: z.object({ id: id() }),
  output: z.object({}),
  errors: ['not_found'],
  about: 'Ends an invitation. It stays listed as the record of who invited whom.',
})

export const inviteManaged = event('accounts.invite.managed', {
  data: StaffAct,
  about: 'Staff ended an invitation.',
})

export const restoreInvite = staffRestore('accounts.invite.restore', 'Undoes the end of an invitation by staff.')
