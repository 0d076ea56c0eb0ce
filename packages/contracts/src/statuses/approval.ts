/** Operations, events and jobs about approvals of replies by remote authors. */
import { z } from 'zod'
import { event, internal, job, operation } from '../kit/index.js'

export const approveReply = operation('statuses.status.approve-reply', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the approving author. */
    actor: z.string(),
    /** Id of the reply, which is local or from a third server. */
    status: z.string(),
    /** Address of the approval; null if the author refused or revoked it. */
    approval: z.string().nullable(),
  }),
  output: z.object({ outcome: z.enum(['done', 'unchanged', 'refused']) }),
  about: 'The author of a remote status approved a reply, or revoked the approval.',
})

export const recordApproval = operation('statuses.approval.note', {
  viewer: internal(),
  class: 'write',
  input: z.object({
    /** Account id of the approving author. */
    actor: z.string(),
    /** Address of the reply. The reply or its parent is not stored here. */
    status: z.string().max(2_048),
    /** Address of the approval; null if the author revoked it. */
    approval: z.string().max(2_048).nullable(),
  }),
  output: z.object({
    /** `here`: the reply or its parent is stored by now. */
    outcome: z.enum(['done', 'here', 'refused']),
  }),
  about: 'Stores the approval of a reply, or its revocation, that arrived before the reply or its parent.',
})

export const replyRequested = event('statuses.reply.requested', {
  data: z.object({
    id: z.string(),
    author: z.string(),
    /** Account id of the author of the status that is replied to. */
    answered: z.string(),
  }),
  about: 'A local status replies to a remote one and waits for the approval of its author.',
})

export const checkReply = job('statuses.check-reply', {
  /** Id of the remote reply whose approval is verified. */
  data: z.object({ status: z.string() }),
  about: 'Verifies the approval of a remote reply that needs one, and shows or hides the reply.',
  retry: { delays: [30, 60, 180, 300, 600], times: 6 },
  timeoutMs: 60_000,
  concurrency: 4,
})
